"""The vocabulary of the model, the number of states of each word, and texts of other speech.

Whole-word models: a word is a sequence of states from left to right, each of them at least once, 30 ms a
state. `[unk]` stands for any other speech. The throat sound of The Nasty 7 is written `hmmrrr`.
"""

from __future__ import annotations

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COMMANDS = ("stop", "start")
WORDS = NUMBERS + COMMANDS
THROAT, COUGH, LAUGHTER, UNKNOWN = "hmmrrr", "[cough]", "[laughter]", "[unk]"
SOUNDS = (THROAT, COUGH, LAUGHTER)

STATES = {
    "zero": 5, "one": 4, "two": 4, "three": 4, "four": 4, "five": 5, "six": 5, "seven": 6, "eight": 4,
    "nine": 5, "ten": 4, "stop": 5, "start": 5, THROAT: 3, COUGH: 3, LAUGHTER: 4,
}  # fmt: skip

SILENCE = 0
"""The acoustic state (Kaldi: pdf) of silence."""


def pdf_table() -> dict[str, range]:
    """The numbers of the acoustic states of each word; 0 is silence, the last one is other speech."""
    table, first = {}, 1
    for word, count in STATES.items():
        table[word] = range(first, first + count)
        first += count
    table[UNKNOWN] = range(first, first + 1)
    return table


SAYABLE = {word: word for word in WORDS}
"""The text for the synthetic voices, for each word."""

TEST_WORDS = tuple(
    """apple answer autumn banana basket beach bottle bridge butter candle carpet castle chicken circle cloud
    coffee copper corner cotton cousin danger dinner doctor dragon engine fabric farmer feather
    finger flower forest garden golden grandma guitar hammer harbour holiday honest island jacket
    journey kitchen ladder lemon letter lettuce library lizard market melon middle mirror monday monkey
    mountain napkin needle number ocean orange paper parrot pencil pepper picture pillow planet pocket
    potato rabbit river rocket salad saturday school season shadow shoulder silver sister soldier spider
    spring station story sugar summer table teacher thunder ticket tomato tower travel tunnel umbrella
    uncle valley village violin weather window winter wizard wonder yellow zebra fix sick tree free
    sin gun fine vine door more threw through heaven eleven fever shoe new true few ford sun run
    tricks fish""".split()  # noqa: SIM905
)
"""Ordinary words kept apart for measuring: no training clip says any of them."""

OTHER_WORDS = tuple(
    sorted(
        set(
            """a able about above across act add afraid after again against age ago agree air all allow almost
            alone along already also always am amazing among and angry animal another any anyone anything
            anyway apart area arm around arrive art as ask at aunt away baby back backward bad bag ball
            bank bar bath be bear beat beautiful because become bed been beer before begin behind believe
            below beside best better between big bike bill bird birthday bit black blanket blood blow blue
            board boat body book boot boring born both bottom bowl box boy bread break breakfast bring
            broken brother brown brush build burn bus business busy but buy by cake call came camera can
            car card care careful carry cat catch caught certain chair chance change cheap cheat check
            cheese cherry child children choose christmas church city class clean clear clever clock close
            clothes coat cold colour come comes computer cook cool cost could count country course cow
            crazy cross cry cup cut dad dance dark daughter day dead deal dear decide deck deep did
            different difficult dirty discard dish do does dog dollar don't down draw dream dress drink
            drive drop dry duck during each ear early earth easy eat edge egg either else empty end enemy
            enough enter even ever every everybody everything exactly excuse eye face fact fair fall family
            famous far fast fat father favourite feel feet fell felt fence fight fill film find fire first
            fit flat floor fly follow food foot forget forward found fresh friday friend from front
            fruit full fun funny game gate gave get ghost girl give glad go goal goat god goes gone good
            goodbye got grab grandfather grass great green grey ground group grow guess had hair half hand
            hang happen happy hard has hat hate have he head hear heard heart heavy hello help her here
            hers hey hi hide high hill him his hit hold hole home hope horse hospital hot hour house how
            huge hundred hungry hurry hurt ice idea if important in inside instead into is it its job join
            joke jump just keep key kick kid kill kind king kiss knee knew knife knock know lady lake land
            large last late laugh lay lazy lead leaf learn least leave left leg less let level lie life
            lift light like line lion lip list listen little live long look lose lost lot loud love low
            luck lucky lunch mad made magic make man many map marvin mate matter may maybe me mean meat
            meet men mess milk million mind mine minute miss mistake mix moment money monster month moon
            morning most mother mouse mouth move much mum music must my myself name nasty near nearly neck
            need neighbour never next nice night no nobody noise none nor nose not note nothing now nurse
            of off offer often oh oil okay old on once only open or order other our out outside over own
            page paid pain paint pair pants parents park part party pass past pay peace people perfect
            perhaps person phone piece pig pile pink place plan plant plate play player please plenty point
            police poor possible post pot pound prefer present press pretty price probably problem promise
            pull purple push put quarter queen question quick quiet quite racketeer radio rain ran rather
            reach read ready real really reason red referee remember rest rice rich ride right ring rise
            road rock roll roof room round rule sad safe said salt same sand sandwich save saw say scared
            score sea seat second secret see sell send sense sentence serious set several shake shall shape
            share sharp she sheep sheila sheet shine ship shirt shop short should shout show shower shuffle
            shut side silly simple since sing sir sit size skin skip sky sleep slow small smell smile snow
            so soap soft some somebody someone something sometimes son song soon sorry sound soup south
            space speak special spell spend spoon sport stack staff stairs stand star stay steal step still
            stone straight strange street strong student stupid such suddenly suit sure surprise sweet swim
            take talk tall taste tea team tell terrible test than thank thanks that the their them then
            there these they thick thin thing think third this those thought thousand throat throw tidy tie
            till time tired today together told tomorrow tongue tonight tooth top total touch town
            toy trick trip trophy trouble try turn twelve twenty twice twin type ugly under understand
            until up upon us use useful usual very visit visual voice wait wake walk wall want war warm was
            wash watch way we wear week well went were west wet what wheel when where which while white who
            whole whose why wide wife wild will win wind wine wish with without woman word work world worry
            worse worst would wow write wrong yard yeah year yes yesterday yet you young your zoo ah er hmm
            oops ouch uh um whoa bravo cheers hooray""".split()  # noqa: SIM905
        )
        - set(TEST_WORDS)
    )
)
"""Ordinary words for `[unk]`. Without "to", "too", "for", "fore", "won" and "ate": they sound like numbers,
and only their context distinguishes them."""

NEAR_WORDS = tuple(
    """trees threat thread thrill throne throb freeze freed frizz freak thief sticks skips stick
    sickness ticks fizz picks mixed kicks slick silk alive hive dive arrive life
    file fires fight flight find knife strife forty fifty thirty servant several
    sever savage devon kevin havens seldom section settle selfish savvy onwards once wand
    swan wan wants wanted won't watt warm wall war woman's rum hum bun pun mum stun spun tooth truth tool tomb
    tune tube chew glue blew flu crew who zoom loo do pew stew fork form force fault fawn store
    pour lore core snore fort thought sort shore haze hate late wait gate aid aim
    night mine line sign dine whine pine pen men den hen then tender tent
    tend dent arrow narrow euro top shop hop step stub dart art smart heart cart
    stark star hurrah hmm harrumph her room roar drum thumb""".split()  # noqa: SIM905
)
"""Words that sound similar to the known ones; they are used more often than others."""

FOREIGN = {
    "de": "ja nein gut warum Karte Stapel Spiel schnell dran Wasser Kuchen Freund Haus Fenster Straße sehen "
    "ist so doch nicht genau wieder fertig lachen Stein fein frei viel wann sonst Sekt Sieg",
    "fr-fr": "oui non carte jeu vite encore maison chien merci bonjour gagner perdre rouge vert toi moi trop "
    "fort faux vin sien soie encore voilà juste salut pourquoi jamais",
    "es": "sí no carta juego rápido agua casa perro gracias hola ganar rojo verde tú yo fuerte vino bien "
    "siempre nunca porque vamos otra mesa",
    "nl": "ja nee kaart spel snel water huis hond dank winnen rood groen jij ik sterk wijn goed altijd "
    "nooit waarom fijn vrij veel wie ziek",
    "it": "sì no carta gioco veloce acqua casa cane grazie vincere rosso verde forte vino bene sempre mai "
    "perché",
    "pl": "tak nie karta gra szybko woda dom pies dziękuję wygrać czerwony zielony dobrze zawsze nigdy "
    "dlaczego",
    "sv": "ja nej kort spel fort vatten hus hund tack vinna röd grön stark vin bra alltid aldrig varför fin "
    "fri",
}
"""Words of other languages for `[unk]`, by espeak-ng's name of the language."""

TABLE_TALK = (
    "it is your turn now", "whose turn is it", "that was not fair", "come on hurry up",
    "I did not say anything", "who has the last card", "can you pass me the water please", "wait a moment",
    "oh no not again", "you have to skip", "put it on the pile", "what did you say", "I think she was late",
    "give me the cards", "let me see", "well done", "that is mine", "are you sure",
    "how many cards do you have", "shuffle the deck", "I am going to get a drink", "is there any cake left",
    "the dog is barking again", "turn the music down", "we should play another round", "look at that",
    "he always wins this game", "you are cheating", "I cannot believe it", "please do not shout",
    "my mother is calling", "where did the box go", "that is the wrong card", "quick quick quick",
    "did you hear that", "nobody saw it", "she is so lucky", "what a nasty card", "take the whole pile",
    "I was thinking about work", "have you seen my phone", "good evening everybody",
    "it was raining all day long", "let us begin", "mind the glass", "yes that is right",
    "no that is wrong", "maybe we should ask the referee", "who is hungry",
    "the children are in bed already",
)  # fmt: skip
"""Sentences without any of the known words, for long sequences of `[unk]` and for babble."""
