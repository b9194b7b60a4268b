"""German and French: espeak-ng voices, ordinary words, and the spelling of the known words.

The words of a model have English names in every language (`words.STATES`): "one" is the word "eins" of the
German model. Only the word list of the finished model is in its language.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.speech.model.grammar import Language
from companion.speech.model.grammar import language as spoken
from models.speech.train.words import COMMANDS, NUMBERS


@dataclass(frozen=True)
class LanguageData:
    """One language.

    Attributes:
        name: its code.
        accents: espeak-ng's voices.
        others: ordinary words, many of them similar to numbers.
        talk: sentences as they are said at a table.
        test: ordinary words that are reserved for measuring.
    """

    name: str
    accents: tuple[str, ...]
    others: tuple[str, ...]
    talk: tuple[str, ...]
    test: tuple[str, ...]

    @property
    def words(self) -> Language:
        return spoken(self.name)

    def ordinary(self) -> list[str]:
        """The ordinary words for training."""
        return sorted({*self.others} - {*self.test})

    def called(self) -> dict[str, str]:
        """The language's word for each number and command, by its English name."""
        return dict(zip((*NUMBERS, *COMMANDS), (*self.words.numbers, *self.words.commands), strict=True))


GERMAN = LanguageData(
    "de",
    ("de",),
    tuple(
        """aber abend acker alle alles allein alt andere anfang angst antwort apfel arbeit arm arzt auch auf
        auge aus auto baby bad bald ball bank bauch baum bei beide bein beispiel bekommen berg
        besser bett bier bild bin bis bist bitte blatt blau bleiben blume boden böse brauchen
        brief brille bringen brot bruder buch bunt bus butter da dach damit danke dann das dass
        dein deins dem den denken der deshalb dich dick die dieb ding dir doch dorf dort draußen
        du dumm dunkel durch durst dürfen echt ecke egal ei eile einfach eis eltern ende endlich
        ente er erde erst es essen etwas euch fahren fallen falsch familie fangen farbe fast feier
        feind fenster ferien fertig feuer film finden finger fisch flasche fleisch fliegen frage
        frau frei fremd freude freund frisch froh früh fuchs fühlen füße garten gast geben gegen
        gehen gehören gelb geld genau gern geschichte gestern gesund gewinnen gib glas glauben
        gleich glück gold gras groß grün gruppe gut haar haben hals halt hand hart hase haus heim
        heiß helfen hell hemd herr herz heute hexe hier himmel hin hinter hoch hof holen hose hund
        hunger ich idee ihm ihn ihr immer in ist ja jacke jahr jeder jetzt jung junge kalt kann
        karte käse katze kaufen kein keine keins keks kennen kind klasse klein klug knochen kochen
        komm können kopf korb krank kreis kuchen küche kuh kurz lachen lacht lampe land lang
        langsam lassen laufen laut leben lecker leer legen lehrer leicht leid leise lernen lesen
        letzte leute licht lieb lieben liebe lied liegen links loch löffel los luft lustig machen
        macht mädchen mal mama mann maus mehr mein meins mensch messer milch mir mit mitte mond
        monster morgen müde mund musik muss mutter mütze nach nacht nachbar nah name nase nass
        natürlich neben nehmen nein nett neu neue nicht nichts nie niemand noch nur ofen oft ohne
        ohr oma onkel opa ort papa papier pause pech pferd pflanze platz plötzlich prima rad raten
        raus recht reden regel regen reich reif rein reis reise rennen richtig ring rot rücken
        rufen ruhe rund sache sack sagen salz sand satt schade schaf schein schere schieben schiff
        schlafen schlag schlecht schließen schloss schlüssel schnee schnell schon schön schrank
        schreien schreiben schritt schuh schule schwarz schwer schwester see segen sehen sehr
        seife sein seins seit seite selten sie sieb siebe sieg singen sitzen so sofa sohn solche
        sollen sommer sonne sonst spaß spät spiel spielen sprechen stadt stark stein stelle stern
        still stimme stimmt stock stoff stuhl stunde suchen suppe süß tag tante tasche tasse teil
        teller teuer tief tier tisch tochter toll topf tor tot tragen traum treffen treppe trinken
        trost tür über uhr um und unfair unser unten unter vater verboten verlieren verstehen viel
        vielleicht vogel voll von vor vorbei wach wachsen wagen wald wand wann war warm warten
        warum was waschen wasser weg wegen weich weil wein weinen weit welche welt wenig wenn wer
        werfen wetter wichtig wie wieder wiese will wind winter wir wissen witz wo woche wohl
        wohnen wollen wort wurst zahl zahn zart zauber zeh zeigen zeit zeug ziege ziehen ziel
        zimmer zirkus zoo zu zucker zuerst zug zum zurück zusammen reim rest fach bünde strümpfe
        hünf fing schlumpf hexen wechsel wachs fix rächt lügen blieben geblieben trieben drehen
        dreht dreck brei schrei treu frier wir irr fair werft mull pulle schulle zwar zwerg zweig
        zweifel zwischen zwang leins steins scheune neulich reue heute stoß staub steh statt starr
        stirn""".split()  # noqa: SIM905
    ),
    (
        "du bist jetzt dran",
        "wer ist an der reihe",
        "das war aber nicht fair",
        "komm schon mach hin",
        "ich habe gar nichts gesagt",
        "wer hat die letzte karte",
        "kannst du mir das wasser geben",
        "warte mal kurz",
        "oh nein nicht schon wieder",
        "du musst aussetzen",
        "leg sie auf den stapel",
        "was hast du gesagt",
        "ich glaube sie war zu spät",
        "gib mir die karten",
        "lass mich mal sehen",
        "gut gemacht",
        "das ist meins",
        "bist du sicher",
        "wie viele karten hast du noch",
        "misch bitte die karten",
        "ich hole mir etwas zu trinken",
        "ist noch kuchen da",
        "der hund bellt schon wieder",
        "mach die musik leiser",
        "wir spielen noch eine runde",
        "schau dir das an",
        "er gewinnt immer",
        "du schummelst doch",
        "das glaube ich nicht",
        "bitte nicht schreien",
        "meine mutter ruft an",
        "wo ist die schachtel",
        "das ist die falsche karte",
        "schnell schnell schnell",
        "hast du das gehört",
        "so eine gemeine karte",
        "nimm den ganzen stapel",
        "hast du mein handy gesehen",
        "guten abend zusammen",
        "morgen soll es regnen",
        "pass auf das glas auf",
        "ja das stimmt",
        "wer hat hunger",
    ),
    tuple(
        """ameise banane brunnen dackel eimer elefant feder flöte gabel gitarre hammer igel insel jäger
        kaffee kamel kerze kissen koffer krone lehm leiter löwe mantel melone nadel nest orange
        pinsel pilz rakete raupe ritter rose sahne schaukel schinken schnecke spinne teppich tiger
        tomate trommel tulpe vulkan wolke zange zebra zitrone zwiebel gast pacht bracht hecht
        specht teuer bein klein drin dreist fünkchen sicht seele sohle lichter biene tiefer stier
        neumond zehe zeche noll knolle""".split()  # noqa: SIM905
    ),
)

FRENCH = LanguageData(
    "fr",
    ("fr-fr", "fr-fr", "fr-be", "fr-ch"),
    tuple(
        """abord acheter affaire âge aider aimer air aller alors ami amour an ancien animal année appeler
        après arbre argent arrêter arriver assez attendre au aucun aussi autant autre avant avec
        avion avoir balle bain banc bas bateau bâton beau beaucoup bébé besoin bête beurre bien
        bientôt bizarre blanc bleu boire bois boîte bon bonbon bonjour bonsoir bord bouche bouger
        boule bout bras bravo bruit café caisse calme carte casser cause ce cela celui ces chaise
        chambre champ chance chanson chapeau chat chaud chemin cher chercher cheval cheveux chez
        chien chocolat choisir chose ciel clair clé cœur coin coller combien comme comment
        comprendre compter content copain corps côté cou couleur coup couper courir court cousin
        couteau crayon crier croire cuisine dame dans danser de debout début dedans dehors déjà
        demain demander dent depuis dernier derrière des descendre dessin dessus devant devoir
        dieu difficile dire doigt donc donner dormir dos doux drôle droit dur eau école écouter
        écrire effet elle encore enfant enfin ensemble ensuite entendre entre envie erreur essayer
        est et été être eux facile faim faire famille faute faux femme fenêtre fermer fête feu
        feuille fille film fils fin finir fleur fois foin fond forêt fou fourchette fraise frapper
        frère froid fromage fruit gagner garçon garder gâteau gauche genou gens gentil girafe
        glace goût grand gris gros guerre habiter herbe heure heureux hier histoire hiver homme
        ici idée il image jamais jambe jardin jaune je jeter jeu jeune joie joli jouer jouet jour
        jupe juste la là lait laisser lancer langue lapin large laver le leçon lent lettre leur
        lever libre lieu lire lit livre loin long lourd lui lumière lune lunettes ma madame main
        maintenant mais maison mal maman manger manquer marcher mari matin mauvais me même mer
        merci mère mes mettre midi mieux milieu moi moins mois moment mon monde monsieur montagne
        monter montrer mot mourir mouton mur musique nager ne neige nez ni noir nom non nos note
        notre nous nouveau nuage nuit ou où oiseau ombre oncle ongle or orage oreille oublier oui
        ours ouvrir pain papa papier par parce pareil parler part partie partir pas passer pauvre
        payer pays peau penser perdre père petit peu peur peut photo pied pierre pique place plage
        plaire plante plat plein pleurer pluie plus poche point poire poisson pomme pont porte
        poser pot poule pour pourquoi pousser pouvoir premier prendre près presque prêt problème
        propre puis quand quart que quel question qui quitter quoi raison ranger rapide rater
        rayon regarder reine rendre rentrer reste rêve revenir riche rien rire robe roi rond rose
        rouge roue route rue sable sac sage sain sale salle salon salut samedi sang sans santé
        saut sauter savoir se seau sel semaine sentir serpent serrer ses seul si signe simple
        singe sœur soif soir soleil son sorte sortir sou soupe sourire sous souvent suite sur
        sucre surprise table tant tante tard tarte tasse te téléphone temps tenir terre tête thé
        tirer toi toit tomate tomber ton tort tôt toucher toujours tour tous tout train tranquille
        travail travers très tricher triste trop trou trouver tu vache valise vélo vendre venir
        vent ventre verre vers vert veste vide vie vieux village ville vin visage vite vivre voici
        voilà voir voisin voiture voix voler vos vouloir vous voyage vrai yeux zone joue bout doux
        fou deuil creux mieux queue jeu vœu froid droit choix bois quatorze patte carte quarante
        singe sein saint lin chaîne scie cils vis lisse pisse glisse chef nette lettre bête faite
        huile lui fuite cuite nef bref œuf bœuf veuf sœur dis riz gris mise grise stylo stade dé
        départir retard""".split()  # noqa: SIM905
    ),
    (
        "c'est à toi de jouer",
        "à qui le tour",
        "ce n'était pas juste",
        "allez dépêche-toi",
        "je n'ai rien dit",
        "qui a la dernière carte",
        "passe-moi l'eau s'il te plaît",
        "attends donc",
        "oh non pas encore",
        "tu passes ton tour",
        "pose-la sur le tas",
        "qu'est-ce que tu as dit",
        "je crois qu'elle était en retard",
        "donne-moi les cartes",
        "laisse-moi voir",
        "bien joué",
        "c'est à moi",
        "tu es sûr",
        "combien de cartes il te reste",
        "mélange les cartes",
        "je vais chercher à boire",
        "il reste du gâteau",
        "le chien aboie encore",
        "baisse la musique",
        "encore la même partie",
        "regarde-moi ça",
        "il gagne toujours",
        "mais tu triches",
        "je n'y crois pas",
        "ne crie pas comme ça",
        "ma mère m'appelle",
        "où est la boîte",
        "ce n'est pas la bonne carte",
        "vite vite vite",
        "tu as entendu",
        "quelle carte méchante",
        "prends tout le paquet",
        "tu as vu mon téléphone",
        "bonsoir tout le monde",
        "demain il va pleuvoir",
        "attention au verre",
        "oui c'est vrai",
        "qui a faim",
    ),
    tuple(
        """abeille ananas balai banane bougie brosse camion canard carotte cerise ciseaux citron clou cochon
        colline coussin crabe dauphin dragon échelle éléphant étoile fée flûte fusée gant
        grenouille guitare île jambon lion lézard marteau melon mouche nuage orange palmier panier
        papillon perroquet pinceau plume poivre radis raisin râteau requin rivière sapin savon
        tambour tapis tigre tortue vache zèbre miette pouce noix doigt gueule neige sucette cygne
        bassine chouette dinde paille truite""".split()  # noqa: SIM905
    ),
)

LANGUAGES = {language.name: language for language in (GERMAN, FRENCH)}


def rename(folder: Path, language: LanguageData) -> None:
    """Translates the word list of a finished model into its language."""
    file, called = folder / "graph" / "words.txt", language.called()
    pairs = (line.rsplit(" ", 1) for line in file.read_text(encoding="utf-8").splitlines())
    file.write_text("".join(f"{called.get(w, w)} {n}\n" for w, n in pairs), encoding="utf-8")
