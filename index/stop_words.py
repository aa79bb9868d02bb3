"""Words that carry grammar and no matter, per language: closed lists, as written in lower case."""

from functools import cache

_LISTS = {
    "en": """
a about above after again against all also although always am among an and another any anybody
anyone anything are aren't around as at away be became because become been before being below
between both but by came can can't cannot come could couldn't did didn't do does doesn't doing
don't done down during each either else enough even ever every everyone everything few for from
further gave get gets getting go goes going gone got had hadn't has hasn't have haven't having he
he'd he'll he's her here hers herself him himself his how however i i'd i'll i'm i've if in indeed
instead into is isn't it it's its itself just let many may me might mine more most much must my
myself near neither never no nobody none nor not nothing now of off often on once one only onto or
other others our ours ourselves out over own per perhaps quite rather really said same say says
shall she she'd she'll she's should shouldn't since so some somebody someone something sometimes
still such than that that's the their theirs them themselves then there there's these they they'd
they'll they're they've thing things this those though through thus to together too toward towards
under until up upon us very was wasn't we we'd we'll we're we've well went were weren't what
whatever when where whether which while who whole whom whose why will with within without won't
would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves
""",
    "nb": """
alle alt altså andre at av bare ble blei bli blir blitt både begge da de deg dem den denne der
dere deres det dette din dine disse dit ditt du eg ei eller en enda enn er et ett etter for fordi
forrige fra før få får gjennom gjør gjøre gjorde ha hadde han hans har henne hennes her hit ho
hun hva hver hverandre hvem hver hvilke hvilken hvis hvor hvordan hvorfor i igjen ikke ingen inn
innen ja jeg kan kom komme kommer kunne man mange med meg meget mellom men mens mer mest mi min
mine mitt mot mye må måtte ned nei noe noen nok nå når og også om opp oss over på sa samme seg si
sier sin sine sitt skal skulle slik slike som så sånn til uten under ut var ved vi videre vil ville
vår være vært våre vårt å
""",
    "nn": """
alle alt altså andre at av berre blei bli blir blitt både begge da dei deg den denne der dere dykk
dykkar dei deira desse det dette di din dine ditt du dåverande eg ei eit ein eller enn enno er et
etter for fordi frå før få får gjennom gjer gjere gjorde ha hadde han hans har henne her hit ho
hoss hossen hjå i ikkje ingen inn inni ja kan kjem kom koma kome korleis kva kvar kvarandre kven
kvifor kunne kven man mange med meg meir mellom men medan mest mi min mine mitt mot mykje må måtte
ned nei no noko nokon nokre nok når og også om opp oss over på sa same seg si seier sidan sin sine
sitt skal skulle slik slike som så til utan under ut var vart ved vi vidare vil ville vår vera vere
vore våre vårt å
""",
    "sv": """
aldrig alla allt alltid andra annan att av bara blev bli blir blivit både de dem den denna deras
dess dessa det detta dig din dina dit ditt du där därför då efter ej eller en er era ert ett från
för får få före genom gick gå går ha hade han hans har henne hennes hit hon honom hur här i icke in
ingen inget inne inom inte ja jag ju kan kom komma kommer kunde kunna man med medan mellan men mer
mest mig min mina mitt mot mycket måste ned nej ni nog nu nån någon något några när och också om
oss på sade samma sedan sig sin sina sitt ska skall skulle som så sådan till under upp ut utan
vad var vara varför varit varje vart vars vem vi vid vilja vilka vilken vilket vill ville vår våra
vårt än ännu är åt över
""",
    "da": """
af alle alt altid anden andet andre at bare begge blev blive bliver både da de dem den denne der
deres det dette dig din dine disse dit du efter eller en end endnu er et fik for fordi fra før få
får gennem gjorde gør gøre ha hans har have havde ham han hende hendes her hos hun hvad hvem hver
hvilken hvis hvor hvordan hvorfor hvornår i igen ikke imod ind ingen intet ja jeg jer jeres jo kan
kom komme kommer kunne man mange med meget mellem men mens mere mest mig min mine mit mod må måtte
ned nej noget nogen nogle nok nu når og også om op os over på sagde samme selv siden sig sin sine
sit skal skulle sådan som så til uden under ud var ved vi vil ville vor vores være været
""",
    "de": """
aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei
beide bin bis bist bleibt da dabei dadurch dafür dagegen daher damit dann daran darauf daraus darf
darin darum das dass davon dazu dein deine deinem deinen deiner dem den denn der deren des dessen
dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer
eines einige er es etwas euch euer eure für gegen gewesen gibt ging habe haben hat hatte hatten
hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins irgend ist ja
jede jedem jeden jeder jedes jene jener jetzt kam kann kein keine keinem keinen keiner können
könnte man manche mehr mein meine meinem meinen meiner mich mir mit muss musste müssen nach nein
nicht nichts nie noch nun nur ob oder ohne sagte schon sehr sein seine seinem seinen seiner seit
selbst sich sie sind so solche soll sollte sondern sonst über um und uns unser unsere unserem
unseren unter viel vom von vor wann war waren warum was weder weil weiter welche welcher wenn wer
werde werden wie wieder will wir wird wirst wo wollen wollte würde würden während zu zum zur
zwischen
""",
    "nl": """
aan al alle alles als altijd andere ben bij bijna daar daarom dan dat de der deze die dit doch doen
door dus een eens elk en er ging geen had hadden heb hebben heeft hem het hier hij hoe hun iets ik
in is ja je jij jou jouw jullie kan kon konden kunnen kwam maar me meer men met mij mijn moest moet
moeten na naar nee niet niets nog nooit nu of om omdat ons onze onder ook op over reeds sinds te
tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat we wel welke werd
werden wie wij wil wilde worden wordt zal ze zei zelf zich zij zijn zo zonder zou zouden
""",
    "fr": """
afin ai ainsi alors après as assez au aucun aucune aujourd'hui aussi autre autres aux avaient avais
avait avant avec avez avoir avons beaucoup bien car ce ceci cela celle celles celui ces cet cette
ceux chaque chez comme comment dans de déjà depuis des dès deux dit donc dont du elle elles en
encore entre es est et étaient étais était étant été être eu eux fait faire fois fut il ils je
jusque la là le les leur leurs lorsque lui ma mais me même mes mien moi moins mon ne ni non nos
notre nôtre nous on ont ou où par parce pas pendant peu peut peuvent plus pour pourquoi pouvait
presque puis qu quand que quel quelle quelles quelque quels qui quoi sa sans se sera ses si sien
soi soit son sont sous suis sur ta tant te tel telle tes toi ton toujours tous tout toute toutes
très trop tu un une vers vos votre vous y à ça
""",
    "es": """
a ahora al algo alguien algún alguna algunas alguno algunos allí ante antes aquel aquella aquello
aquellos aquí así aun aún aunque bajo bien cada casi como cómo con conmigo contra cosa cosas cual
cuál cuando cuándo cuanto de del desde después dijo donde dónde dos durante e el él ella ellas ello
ellos en entonces entre era eran eres es esa esas ese eso esos esta está estaba estaban estado
están estar estas este esto estos estoy fue fueron fui ha había habían haber hace hacer hacia han
hasta hay he hizo iba la las le les lo los más me mi mí mientras mis mismo mucho muchos muy nada
nadie ni ningún ninguna no nos nosotros nuestra nuestras nuestro nuestros nunca o os otra otras
otro otros para pero poco por porque pudo puede pueden pues que qué quien quién quienes se sea ser
será si sí sido siempre sin sino sobre solo sólo son soy su sus suyo también tan tanto te tenía
tiene tienen toda todas todavía todo todos tras tu tú tus tuve tuvo un una unas uno unos usted va
vez y ya yo
""",
    "it": """
a ad agli ai al alla alle allo allora anche ancora aveva avevano avevo avere c che chi ci cioè
come con contro cosa così cui da dagli dai dal dalla dalle dallo degli dei del dell della delle
dello dentro di disse dopo dove due e è ed egli ella era erano ero essere essi fa fare fino fra fu
fuori già gli ha hai hanno ho i il in io invece la là le lei li lo loro lui ma mai me mentre mi mia
mie miei mio molti molto ne né negli nei nel nella nelle nello nessuno niente no noi non nostra
nostri nostro nulla o ogni oltre ora ossia per perché perciò però più poco poi possono prima può
qua quale quali quando quanto quasi quella quelle quelli quello questa queste questi questo qui
quindi sarà se sei sempre senza si sì sia sono sopra sotto sta stata stato stessa stesso su sua sue
sugli sui sul sulla suo suoi te ti tra troppo tu tua tuo tutta tutte tutti tutto un una uno vi voi
vostro
""",
    "pt": """
a à ainda algo alguém algum alguma alguns ali ao aos apenas aquela aquele aquilo aqui as às assim
até bem cada com como contra coisa coisas da das de dela dele deles depois desde dessa desse desta
deste deu disse disso do dois dos durante e é ela elas ele eles em enquanto então entre era eram
essa essas esse esses esta está estão estar estava este estes estou eu faz fazer fez foi for foram
fui há isso isto já la lhe lhes lo logo mais mas me meio menos mesmo meu meus mim minha minhas
muito muitos na nada não nas nela nele nem nenhum nessa nesse nesta neste no nos nós nossa nossas
nosso nossos num numa nunca o onde os ou outra outras outro outros para pela pelas pelo pelos per
pode podem pois por porque porém pouco qual quando quanto quase que quê quem são se sem sempre ser
será seu seus si sido só sob sobre sou sua suas também tanto tão te tem têm tenho ter teve tinha
tinham toda todas todo todos tu tua tudo um uma umas uns vai vez você vocês
""",
}
LANGUAGES = tuple(_LISTS)


@cache
def stop_words(lang: str = "") -> frozenset[str]:
    """The stop words of a language by its two-letter code; English where it is not known."""
    return frozenset(_LISTS.get(lang or "en", "").split())
