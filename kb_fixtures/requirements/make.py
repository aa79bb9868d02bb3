"""Writes the bases of this folder anew: python kb_fixtures/requirements/make.py. CC0 like them."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARKER = "BRASS-HERON"

# Chapter: code, title, and its topics (slug, title, in a sentence, what is measured, value, why).
CHAPTERS = [
    ("K100", "Linjeføring", [
        ("kjorefelt", "Kjørefelt", "kjørefeltet", "bredden", "3,25 m", "to melkebiler skal kunne møtes uten at en av dem stanser"),
        ("skulder", "Skulder", "skulderen", "bredden", "0,75 m", "en punktert bil trenger et sted å stå"),
        ("kurve", "Horisontalkurve", "kurven", "radien", "110 m", "føreren skal rekke å se det som kommer"),
        ("stigning", "Stigning", "stigningen", "helningen", "6 %", "en lastet vogn må komme i gang igjen på våt veg"),
        ("sikt", "Stoppsikt", "siktlinjen", "lengden", "90 m", "en elg går ikke av vegen for noen"),
        ("hoyde", "Fri høyde", "åpningen", "høyden", "4,70 m", "høylasset er høyere i august enn på tegningen"),
    ]),
    ("K200", "Kryss", [
        ("rundkjoring", "Rundkjøring", "rundkjøringen", "diameteren", "28 m", "bussen skal komme rundt uten å kjøre over midtøya"),
        ("t-kryss", "T-kryss", "krysset", "vinkelen", "80 grader", "ingen skal måtte vri nakken for å se sidevegen"),
        ("forkjorsveg", "Forkjørsveg", "forkjørsvegen", "avstanden mellom skiltene", "400 m", "den som svinger inn midt på, skal også få vite det"),
        ("gangfelt", "Gangfelt", "gangfeltet", "bredden", "3,0 m", "to barnevogner skal kunne passere hverandre"),
        ("venstresving", "Venstresvingefelt", "svingefeltet", "lengden", "45 m", "køen skal ikke nå ut i feltet bak"),
        ("avkjorsel", "Avkjørsel", "avkjørselen", "bredden", "5,5 m", "tankbilen skal inn på tunet i én sving"),
    ]),
    ("K300", "Overbygning", [
        ("slitelag", "Slitelag", "slitelaget", "tykkelsen", "40 mm", "piggdekk sliter mest der det bremses"),
        ("barelag", "Bærelag", "bærelaget", "tykkelsen", "120 mm", "våren avgjør om en veg er bygd eller bare lagt"),
        ("frostsikring", "Frostsikring", "frostsikringen", "dybden", "1,4 m", "telen løfter det som ikke er drenert"),
        ("filterlag", "Filterlag", "filterlaget", "tykkelsen", "150 mm", "leire klatrer opp i grus når ingen ser det"),
        ("kantstein", "Kantstein", "kantsteinen", "vishøyden", "120 mm", "brøyteskjæret skal kjenne den og ikke ta den med seg"),
        ("gjenbruk", "Gjenbruksasfalt", "gjenbruksasfalten", "andelen", "30 %", "gammel asfalt er stein som alt er knust"),
    ]),
    ("K400", "Drenering", [
        ("stikkrenne", "Stikkrenne", "stikkrennen", "diameteren", "600 mm", "greiner legger seg på tvers i en smal åpning"),
        ("groft", "Åpen grøft", "grøften", "dybden", "0,6 m", "vann som står ved vegen, finner til slutt veien inn i den"),
        ("kum", "Sandfangskum", "kummen", "volumet", "1,2 m3", "sand som ikke fanges, tetter ledningen nedenfor"),
        ("overvann", "Overvann", "anlegget", "gjentaksintervallet", "50 år", "bekken kommer tilbake dit den pleide å renne"),
        ("erosjon", "Erosjonssikring", "steinlaget", "tykkelsen", "0,5 m", "utløpet graver under seg selv i hver flom"),
        ("fiskevandring", "Fiskevandring", "kulverten", "fallet", "2 %", "ørreten skal opp også i et tørt år"),
    ]),
    ("K500", "Rekkverk og sideområde", [
        ("rekkverk", "Rekkverk", "rekkverket", "høyden", "0,75 m", "en bil skal ledes tilbake og ikke kastes tilbake"),
        ("rekkverksende", "Rekkverksende", "enden", "nedføringen", "12 m", "et rekkverk som slutter brått, er et spyd"),
        ("sikkerhetssone", "Sikkerhetssone", "sonen", "bredden", "5 m", "trær flytter seg ikke"),
        ("stolpe", "Ettergivende stolpe", "stolpen", "festemomentet", "5,7 kNm", "stolpen skal tape mot bilen"),
        ("viltgjerde", "Viltgjerde", "gjerdet", "høyden", "2,2 m", "hjorten hopper over det som er lavere"),
        ("bruende", "Overgang ved bru", "overgangen", "lengden", "8 m", "stivt og mykt rekkverk skal ikke møtes i ett punkt"),
    ]),
    ("K600", "Belysning og skilt", [
        ("lysmast", "Lysmast", "masten", "avstanden", "35 m", "mørke flekker mellom mastene skjuler den som går"),
        ("luminans", "Luminans", "lyset", "nivået", "0,75 cd/m2", "øyet trenger tid når det går fra lyst til mørkt"),
        ("skiltplate", "Skiltplate", "platen", "underkanten", "2,2 m", "brøytekanten når høyere enn en tror"),
        ("vegvisning", "Vegvisning", "visningen", "skrifthøyden", "210 mm", "den fremmede leser sent og svinger fort"),
        ("oppmerking", "Vegoppmerking", "linjen", "bredden", "0,10 m", "linjen er alt føreren har i tåke"),
        ("aerfuglskilt", "Ærfuglskilt", "skiltet", "avstanden til strandsonen", "150 m", "ærfuglen krysser vegen til fots med unger"),
    ]),
    ("K700", "Ferjekai og bru", [
        ("ferjekai", "Ferjekai", "kaien", "bæreevnen", "60 tonn", "kranbilen kommer med den ferja som går"),
        ("tillegg", "Tilleggskai", "kaien", "lengden", "40 m", "ferja skal kunne ligge natten over i kuling"),
        ("brudekke", "Brudekke", "dekket", "overdekningen", "75 mm", "salt finner armeringen gjennom tynn betong"),
        ("lager", "Brulager", "lageret", "bevegelsen", "60 mm", "brua er lengst i juli og kortest i februar"),
        ("fuge", "Bevegelsesfuge", "fugen", "åpningen", "50 mm", "en fuge som lekker, ruster alt under seg"),
        ("gangbru", "Gangbru", "gangbrua", "bredden", "3,5 m", "skoleklassen går ikke på rekke"),
    ]),
]

# Aspect: slug, title, dimensions, and the sentences of the requirement.
ASPECTS = [
    ("mal", "mål", ["safety"],
     "For {name} skal {measured} være minst {value}, målt når anlegget tas i bruk.",
     "Grunnen er at {why}. Mindre mål kan bare brukes på strekninger der farten er satt ned, og da skal det stå i planen hvem som har bestemt det."),
    ("plassering", "plassering", [],
     "Plasseringen av {name} skal vises på en plan i målestokk 1:500 før arbeidet lyses ut.",
     "Planen skal vise ledninger, eiendomsgrenser og adkomst. Det er lettere å flytte en strek enn en betongkloss, og {why}."),
    ("materiale", "materiale", ["cost"],
     "Materialet i {name} skal kunne skaffes fra minst to leverandører innenfor fylket eller nabofylkene.",
     "Leverandøren skal legge fram egenerklæring for levetid. Kortere frakt gir lavere pris og færre tunge biler, men {why}, og det kravet går foran."),
    ("utforelse", "utførelse", ["cost", "quality"],
     "Utførelsen av {name} skal følge en skriftlig arbeidsplan med et stoppunkt før noe dekkes til.",
     "Ved stoppunktet skal {measured} måles og føres i dagboken. Verdien {value} gjelder også her, fordi {why}."),
    ("kontroll", "kontroll", ["safety", "quality"],
     "Kontroll av {name} skal gjøres av en annen enn den som har utført arbeidet.",
     "Avvik på mer enn fem prosent fra {value} skal rettes før overtakelse. Kontrolløren skal ikke spørre om det holder, men om {measured} stemmer: {why}."),
    ("vedlikehold", "vedlikehold", ["cost"],
     "Vedlikehold av {name} skal planlegges for førti år og prises sammen med byggingen.",
     "Planen skal si hva som gjøres hvert år, hvert femte år og etter flom. Den billigste løsningen første året er sjelden den billigste, særlig når {why}."),
    ("klima", "klimaspor", ["climate"],
     "Klimasporet av {name} skal regnes for bygging og førti års drift, og to løsninger skal sammenlignes.",
     "Regnestykket skal legges ved uten avrunding. Kravet om at {measured} er {value}, kan ikke fravikes for å få et lavere tall, for {why}."),
]

GUIDES = {
    "how-to-read": ("How to read these requirements", "Each file holds one requirement. The first sentence binds; what follows explains it. The number in the frontmatter is the one to cite, and it never changes, even if the title does."),
    "words": ("Shall, should and may", "*Skal* binds. *Bør* asks for a reason when it is not followed. *Kan* only says that something is allowed. Any other verb describes and binds nobody."),
    "costs": ("Cost codes", "The codes of `cost-baseline.json` follow the chapters: 21 is road works, 31 structures, 41 lighting, 88 reserves. Amounts are in kroner at the prices of the base year, and no line contains another."),
    "scope": ("Dimensions", "A requirement may declare that it serves safety, cost, quality or climate. One that declares nothing serves them all."),
}

VERDICTS = [
    ("smalere-kjorefelt", "Smalere kjørefelt på øya", "rejected", "saved paint and nothing else"),
    ("rundkjoring-av-tre", "Rundkjøring med midtøy av tre", "accepted", "the island rotted, as was foreseen, and was cheap to renew"),
    ("uten-rekkverk", "Strandvegen uten rekkverk", "rejected", "the sea is part of the safety zone only on paper"),
    ("led-master", "Færre og høyere lysmaster", "accepted", "held on straight stretches, failed in the bends"),
    ("gjenbruk-50", "Halvparten gjenbruksasfalt", "undecided", "the winter trial was two weeks long"),
    ("kai-av-stal", "Ferjekai av stål", "rejected", "the price of rust was left out"),
]

LINES = [
    ("21.1", "Overbygning, slitelag", 6_400_000, (5_900_000, 6_400_000, 7_600_000)),
    ("21.2", "Overbygning, bærelag", 9_100_000, (8_200_000, 9_100_000, 11_000_000)),
    ("21.3", "Frostsikring", 4_750_000, (3_900_000, 4_750_000, 6_500_000)),
    ("21.4", "Kantstein", 880_000, None),
    ("22.1", "Stikkrenner", 2_300_000, (2_000_000, 2_300_000, 3_100_000)),
    ("22.2", "Kummer", 1_150_000, None),
    ("22.3", "Erosjonssikring", 1_900_000, (1_200_000, 1_900_000, 3_000_000)),
    ("23.1", "Rundkjøring, grunnarbeid", 3_600_000, (3_100_000, 3_600_000, 4_800_000)),
    ("23.2", "Gangfelt", 420_000, None),
    ("25.1", "Rekkverk", 2_750_000, (2_500_000, 2_750_000, 3_200_000)),
    ("25.2", "Viltgjerde", 1_300_000, None),
    ("31.1", "Gangbru", 5_200_000, (4_700_000, 5_200_000, 6_600_000)),
    ("31.2", "Ferjekai", 12_800_000, (11_000_000, 12_800_000, 16_500_000)),
    ("41.1", "Lysmaster", 1_750_000, (1_600_000, 1_750_000, 2_100_000)),
    ("41.2", "Skilt og oppmerking", 690_000, None),
    ("88.1", "Rigg og drift", 4_000_000, (3_500_000, 4_000_000, 5_200_000)),
    ("88.9", "Uforutsett", 0, None),
]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def concept(title: str, number: str, dimensions: list[str], body: str, kind: str = "Krav") -> str:
    keys = [f"type: {kind}", f'title: "{title}"']
    if number:
        keys.append(f"requirement_number: {number}")
    if len(dimensions) == 1:
        keys.append(f"dimension: {dimensions[0]}")
    elif dimensions:
        keys.append(f"dimension: [{', '.join(dimensions)}]")
    return "---\n" + "\n".join(keys) + f"\n---\n# {title}\n\n{body}\n"


def index(title: str, links: list[tuple[str, str]], bundle_id: str = "", lead: str = "") -> str:
    head = f'---\nokf_version: "0.2"\nbundle_id: {bundle_id}\n---\n' if bundle_id else ""
    lead = f"{lead}\n\n" if lead else ""
    return head + f"# {title}\n\n{lead}" + "".join(f"- [{name}]({path})\n" for name, path in links)


def baseline(lines: list[tuple]) -> str:
    rows = []
    for code, label, amount, band in lines:
        row = {"code": code, "label": label, "amount": amount}
        if band:
            row["band"] = dict(zip(("low", "mode", "high"), band))
        rows.append(row)
    return json.dumps({"currency": "NOK", "base_year": 2026, "lines": rows}, ensure_ascii=False, indent=1) + "\n"


def make_roads(root: Path) -> None:
    """The large base; its folder is called fjordveg and it declares the id `roads`."""
    for at, (code, chapter, topics) in enumerate(CHAPTERS, 1):
        links = []
        for place, (slug, title, name, measured, value, why) in enumerate(topics, 1):
            for nth, (part, words, dimensions, binds, explains) in enumerate(ASPECTS, 1):
                facts = {"name": name, "measured": measured, "value": value, "why": why}
                number = f"Krav {at}.{place}-{nth}"
                body = f"{binds.format(**facts)}\n\n{explains.format(**facts)}"
                path = f"krav/{code}/{slug}/{part}.md"
                write(root / path, concept(f"{title}, {words}", number, dimensions, body))
                links.append((f"{number} {title}, {words}", f"{slug}/{part}.md"))
        write(root / f"krav/{code}/index.md", index(f"{code} {chapter}", links))
    for slug, (title, text) in GUIDES.items():
        write(root / f"guide/{slug}.md", concept(title, "", [], text, "Guide"))
    for nth, (slug, title, decision, why) in enumerate(VERDICTS, 1):
        body = f"Decision: {decision}. It {why}.\n\n{MARKER}"
        write(root / f"verdicts/{slug}.md", concept(title, f"V-{nth}", [], body, "verdict"))
    chapters = [(f"{code} {title}", f"krav/{code}/index.md") for code, title, _ in CHAPTERS]
    links = [*chapters, ("How to read these requirements", "guide/how-to-read.md"), ("K800 Tunnel", "krav/K800/index.md")]
    lead = "Requirements for the roads of Fjordvik, an invented county: seven chapters, six topics in each, seven requirements to a topic."
    write(root / "index.md", index("Fjordvik road requirements", links, "roads", lead))
    write(root / "cost-baseline.json", baseline(LINES))


def make_tunnels(root: Path, edition: str, depth: str) -> None:
    """One of two editions that both declare the id `tunnels`."""
    texts = {
        "ventilasjon": ("Ventilasjon", "T 1.1", f"Luften i tunnelen skal skiftes på {depth} minutter."),
        "nodutgang": ("Nødutgang", "T 1.2", "Det skal være høyst 250 meter mellom nødutgangene, og dørene skal åpne mot rømningen."),
        "lekkasje": ("Vann- og frostsikring", "T 2.1", "Vann skal ledes bort før det fryser, og aldri dryppe på kjørebanen."),
        "havarinisje": ("Havarinisje", "T 2.2", "Det skal være en nisje på hver side for hver 500 meter."),
    }
    for slug, (title, number, body) in texts.items():
        write(root / f"krav/{slug}.md", concept(title, number, [], body))
    links = [(title, f"krav/{slug}.md") for slug, (title, _, _) in texts.items()]
    write(root / "index.md", index(f"Tunnels, edition {edition}", links, "tunnels"))


if __name__ == "__main__":
    make_roads(HERE / "fjordveg")
    make_tunnels(HERE / "tunnels-2025", "2025", "12")
    make_tunnels(HERE / "tunnels-2026", "2026", "10")
