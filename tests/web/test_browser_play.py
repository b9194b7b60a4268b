"""A game played by tapping, in a real browser, at a real table."""

import re
from collections.abc import Callable

from chromium import PRESSABLE, Phone
from playwright.sync_api import Page, expect

Phones = Callable[..., Phone]


def start(phone: Phone, game: str, *players: str) -> Page:
    """A new game. In The Nasty 7 nobody is hurried: how long a tap takes is the machine's business."""
    page = phone.seats(game, *players)
    if game == "Seven Merry Monsters":
        phone.tap("Follow every card")  # without a camera displays are photographed
    if game == "Bugs & Co":
        phone.tap("We count aloud")
    if game == "The Nasty 7":
        page.get_by_text("House rules").click()
        page.get_by_label("Hesitation").fill("600")
    phone.tap("Start with", exact=False)
    page.wait_for_url("**/")
    return page


def scores(page: Page, **players: str) -> None:
    """The page shows these scores."""
    for player, points in players.items():
        expect(page.locator(".scores li", has_text=player).locator(".score")).to_have_text(points)


def test_game_is_started_played_and_undone_in_view_of_another_phone(table: str, phones: Phones) -> None:
    referee, guest = phones(table), phones(table)
    watching = guest.open()
    expect(watching.locator("h1")).to_have_text("Nobody is playing yet.")
    page = start(referee, "The Nasty 7", "Ida", "Jo", "Kai")
    expect(watching.locator("h1")).to_have_text("The Nasty 7")
    scores(watching, Ida="36", Jo="36", Kai="36")

    referee.tap("racketeer")
    expect(watching.locator("h2").first).to_have_text("Ida calls.")
    referee.tap("It was right")
    expect(watching.locator("h2").first).to_have_text("Jo turns over a card.")
    scores(watching, Ida="35")
    referee.tap("racketeer")
    referee.tap("six")
    expect(watching.locator("#verdict")).to_have_text("Jo said six. It was two.")
    expect(watching.locator(".scores li", has_text="Jo").locator(".score")).to_have_text("37")

    page.get_by_role("button", name=re.compile("^Undo: .*six")).click()
    asked = page.get_by_role("dialog", name="Take back: Jo calls: six?")
    expect(asked).to_contain_text("Jo said six. It was two.")
    referee.tap("Leave it")
    scores(watching, Jo="37")
    page.get_by_role("button", name=re.compile("^Undo: .*six")).click()
    referee.tap("Take it back")
    expect(watching.locator(".scores li", has_text="Jo").locator(".score")).to_have_text("35")
    expect(page.locator("h2").first).to_have_text("Jo calls.")


def test_a_tap_begun_on_a_key_that_is_gone_is_none_on_the_key_in_its_place(
    table: str, phones: Phones
) -> None:
    """The other phone enters the call (or time runs out) while a finger lies on "five": a card of the same
    place in the row was entered then."""
    slow, quick = phones(table, viewport={"width": 390, "height": 844}), phones(table)
    page = start(slow, "The Nasty 7", "Ida", "Jo", "Kai")
    quick.open()
    slow.tap("racketeer")
    key = page.get_by_role("button", name="five", exact=True)
    key.hover()
    page.mouse.down()
    quick.tap("It was right")
    expect(page.locator("h2").first).to_have_text("Jo turns over a card.")
    expect(key).to_have_count(0)
    page.get_by_role("button", name="gun", exact=True).hover()
    page.mouse.up()
    quick.tap("racketeer")
    expect(page.locator("h2").first).to_have_text("Jo calls.")
    entered = page.evaluate("fetch('/state.json').then((answer) => answer.json())")["log"]
    assert [entry["event"]["event"] for entry in entered] == ["card_played", "heard", "card_played"]
    assert entered[-1]["event"]["card"] == "racketeer"


def test_players_are_seated_remembered_and_reordered(table: str, phones: Phones) -> None:
    phone = phones(table)
    start(phone, "The Nasty 7", "Ida", "Jo", "Kai")
    page = phone.open("/new")
    names = page.locator(".seats .name")
    expect(names).to_have_text(["Ida", "Jo", "Kai"])
    phone.tap("Kai one seat up")
    expect(names).to_have_text(["Ida", "Kai", "Jo"])
    phone.tap("Ida does not play")
    expect(names).to_have_text(["Kai", "Jo"])
    phone.tap("Ida")
    expect(names).to_have_text(["Kai", "Jo", "Ida"])
    page.get_by_label("Name of another player").fill("Jo")
    phone.tap("Add")
    expect(page.get_by_role("alert").first).to_have_text("Jo is at the table already.")
    phone.tap("Start with Kai, Jo and Ida")
    page.wait_for_url("**/")
    expect(page.locator(".scores strong")).to_have_text(["Kai", "Jo", "Ida"])


def test_the_second_of_two_phones_that_start_a_game_joins_or_replaces_it(table: str, phones: Phones) -> None:
    one, other = phones(table), phones(table)
    other.excuse("status of 409")
    for phone, title, names in ((one, "The Nasty 7", ("Ida", "Jo")), (other, "Bugs & Co", ("Kai", "Mara"))):
        phone.seats(title, *names)
    one.tap("Start with Ida and Jo")
    expect(one.page.locator(".scores strong")).to_have_text(["Ida", "Jo"])
    other.tap("Start with Kai and Mara")
    sheet = other.page.get_by_role("dialog")
    expect(sheet).to_contain_text("Meanwhile The Nasty 7 has been started with Ida and Jo.")
    expect(sheet.get_by_role("button", name="Join that game")).to_be_visible()
    sheet.get_by_role("button", name="Close").click()
    other.tap("Start with Kai and Mara")
    other.tap("End it and start mine", exact=False)
    expect(other.page.locator(".scores strong")).to_have_text(["Kai", "Mara"])
    expect(one.page.locator(".scores strong")).to_have_text(["Kai", "Mara"])


def test_impossible_setting_is_said_at_its_field(table: str, phones: Phones) -> None:
    phone = phones(table)
    phone.excuse("status of 409")
    page = phone.seats("The Nasty 7", "Ida", "Jo")
    page.get_by_text("House rules").click()
    page.get_by_label("Deck size").fill("many")
    phone.tap("Start with Ida and Jo")
    expect(page.locator(".field", has=page.get_by_label("Deck size")).get_by_role("alert")).to_have_text(
        "A number, please."
    )
    page.get_by_label("Deck size").fill("-4")
    phone.tap("Start with Ida and Jo")
    expect(page.locator(".rules").get_by_role("alert")).to_have_count(1)
    page.get_by_label("Deck size").fill("")
    page.get_by_label("racketeer", exact=True).fill("many")
    phone.tap("Start with Ida and Jo")
    expect(page.locator(".counts").get_by_role("alert")).to_have_text("A number, please.")
    page.get_by_label("racketeer", exact=True).fill("14")
    page.get_by_label("gun", exact=True).fill("6")
    phone.tap("Start with Ida and Jo")
    page.wait_for_url("**/")
    scores(page, Ida="10")


def test_wrong_call_is_taken_out_of_the_history_after_a_preview(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "The Nasty 7", "Ida", "Jo")
    phone.tap("racketeer")
    phone.tap("six")
    expect(page.locator("#verdict")).to_have_text("Ida said six. It was one.")
    page = phone.open("/history")
    page.get_by_role("button", name="Ida calls: six.", exact=False).click()
    phone.tap("Take it out", exact=False)
    then = page.locator(".preview tbody tr", has_text="Ida").locator("td")
    expect(then).to_have_text(["55", "54"])
    phone.tap("Take it out")
    page = phone.open()
    expect(page.locator("h2").first).to_have_text("Ida calls.")
    scores(page, Ida="54")


def test_table_agrees_otherwise_about_a_verdict(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "The Nasty 7", "Ida", "Jo")
    phone.tap("racketeer")
    phone.tap("six")
    page = phone.open("/history")
    expect(page.locator(".log")).to_contain_text("Ida said six. It was one.")
    page.get_by_role("button", name="Ida calls: six.", exact=False).click()
    phone.tap("The table agrees otherwise", exact=False)
    expect(page.locator(".log")).to_contain_text("the table agreed otherwise")
    page = phone.open()
    expect(page.locator("h2").first).to_have_text("Jo turns over a card.")
    scores(page, Ida="54")


def test_what_was_found_leaves_the_table_with_its_game(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "The Nasty 7", "Ida", "Jo")
    phone.tap("racketeer")
    phone.tap("six")
    expect(page.locator("#verdict")).to_have_text("Ida said six. It was one.")
    phone.tap("Menu")
    phone.tap("End this game")
    phone.tap("End it", exact=False)
    expect(page.locator("h1")).to_have_text("Between two games")
    expect(page.locator("#verdict")).to_have_text("")


def test_doubt_names_who_doubts(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "The Nasty 7", "Ida", "Jo", "Kai")
    phone.tap("racketeer")
    phone.tap("It was right")
    phone.tap("Doubt the call")
    dialog = page.get_by_role("dialog", name="Who doubts Ida's call?")
    expect(dialog.get_by_role("button", name="Choose who doubts it")).to_be_disabled()
    dialog.get_by_role("button", name="Kai").click()
    dialog.get_by_role("button", name="Kai doubts it").click()
    expect(page.locator("#verdict")).to_have_text("Kai doubted the call. It was right.")
    expect(page.locator("h2").first).to_have_text("Kai turns over a card.")


def enter(phone: Phone, player: str, card: str) -> None:
    phone.tap(f"Enter {player}'s card")
    phone.page.get_by_role("dialog").get_by_role("button", name=card, exact=True).click()


def test_trick_with_a_tie_and_a_joker_is_entered_by_tapping(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "Seven Merry Monsters", "Ida", "Jo", "Kai")
    enter(phone, "Ida", "green 4")
    enter(phone, "Jo", "joker")
    phone.tap("Enter Kai's card")
    expect(page.get_by_role("button", name="green 4, seen already")).to_be_visible()
    page.keyboard.press("Escape")
    enter(phone, "Kai", "red 4")
    expect(page.locator("h2").first).to_have_text("Kai gives the trick to one of the two.")
    phone.tap("To Ida")
    phone.tap("Ida's joker")
    phone.tap("red")
    columns = page.locator(".scores li", has_text="Ida").locator(".columns > li")
    expect(columns.nth(0)).to_have_accessible_name("green: 1 cards")
    expect(columns.nth(1)).to_have_accessible_name("red: 2 cards, 1 of them jokers")
    expect(page.locator(".top p")).to_have_text("Round 1 · trick 2 of 8")
    expect(page.locator("h2").first).to_have_text("Ida plays a card.")


def test_left_out_player_lays_a_card(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "Seven Merry Monsters", "Ida", "Jo", "Kai")
    enter(phone, "Ida", "green 4")
    enter(phone, "Jo", "red 4")
    phone.tap("To Jo")
    expect(page.locator("h2").first).to_have_text("Kai lays a card into the own display.")
    phone.tap("Kai's card")
    page.get_by_role("dialog").get_by_role("button", name="blue 2").click()
    expect(page.locator(".scores li", has_text="Kai").locator(".columns > li")).to_have_count(1)
    expect(page.locator("h2").first).to_have_text("Jo plays a card.")


def test_hidden_cards_are_laid_and_turned_over(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.seats("Seven Merry Monsters", "Ida", "Jo", "Kai")
    phone.tap("Follow every card")
    page.get_by_text("House rules").click()
    page.get_by_label("Variant").select_option(label="Monster under the bed")
    phone.tap("Start with Ida, Jo and Kai")
    page.wait_for_url("**/")
    phone.tap("Others")
    phone.tap("Jo's card")
    phone.tap("Hidden column 1")
    for name, columns in (("Ida", "12"), ("Jo", "2"), ("Kai", "12")):
        for column in columns:
            phone.tap(f"{name}'s card")
            phone.tap(f"Hidden column {column}")
    expect(page.locator(".scores li", has_text="Ida")).to_contain_text("2 face down")
    for name, card in (("Ida", "green 4"), ("Jo", "red 5"), ("Kai", "blue 6")):
        enter(phone, name, card)
    phone.tap("Kai turns cards over")
    phone.tap("Hidden column 1")
    page.get_by_role("dialog").get_by_role("button", name="blue 7").click()
    expect(page.locator(".scores li", has_text="Kai")).to_contain_text("1 face down")


def test_round_is_scored_by_counting_every_display(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.seats("Seven Merry Monsters", "Ida", "Jo", "Kai")
    page.get_by_text("House rules").click()
    page.get_by_label("Target").fill("20")
    phone.tap("Start with Ida, Jo and Kai")
    page.wait_for_url("**/")
    phone.tap("Score from a photo")
    page.wait_for_url("**/photo")
    monsters = {"Ida": ("red", "orange"), "Jo": ("yellow", "green"), "Kai": ("blue", "purple")}
    for name, (one, other) in monsters.items():
        phone.tap(name)
        phone.tap("Count by hand instead")
        for _ in range(7):
            phone.tap(f"{one} cards: one more")
        for _ in range(3):
            phone.tap(f"{other} cards: one more")
        expect(page.locator(".total b")).to_have_text("10")
        phone.tap("Enter 10 points")
        expect(page.locator(".reading, .counts")).to_have_count(0)
    page.wait_for_url("**/")
    scores(page, **dict.fromkeys(monsters, "10"))
    expect(page.locator(".grid tbody tr")).to_have_count(1)


def test_the_keyboard_stays_at_the_primary_action(table: str, phones: Phones) -> None:
    """Pressing a key takes it away: the one in its place has the focus, and takes no press that was meant for
    the one before."""
    phone = phones(table)
    page = start(phone, "Bugs & Co", "Ida", "Jo")
    first = page.get_by_role("button", name="Start!", exact=True)
    first.evaluate(PRESSABLE)
    first.focus()
    page.keyboard.down("Enter")
    then = page.get_by_role("button", name="A trophy was taken", exact=True)
    expect(then).to_be_focused()
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_keyboard_comes_back_from_a_sheet_to_the_next_action(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "Seven Merry Monsters", "Ida", "Jo", "Kai")
    page.get_by_role("button", name="Enter Ida's card", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="green 4", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Enter Jo's card", exact=True)).to_be_focused()
