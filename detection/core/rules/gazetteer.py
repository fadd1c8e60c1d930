"""Countries, their people, and the most frequently named parts of countries: containment and exclusion.

The list is incomplete: nothing is concluded from an unlisted name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from detection.core.language.vocabulary import fold


class PlaceLevel(StrEnum):
    CONTINENT = "continent"
    COUNTRY = "country"
    PART = "part"
    """A state, a province or a constituent country."""
    CITY = "city"


@dataclass(frozen=True, slots=True)
class Place:
    """A known place. ``within`` names the place that contains it, if that one is listed, too."""

    name: str
    level: PlaceLevel
    within: str | None = None


# Country; other names; people and adjectives.
_COUNTRIES = """
Afghanistan; ; Afghan, Afghans
Albania; ; Albanian, Albanians
Algeria; ; Algerian, Algerians
Andorra; ; Andorran
Angola; ; Angolan, Angolans
Argentina; ; Argentine, Argentinian, Argentines, Argentinians
Armenia; ; Armenian, Armenians
Australia; ; Australian, Australians
Austria; ; Austrian, Austrians
Azerbaijan; ; Azerbaijani, Azerbaijanis
Bahamas; ; Bahamian
Bahrain; ; Bahraini
Bangladesh; ; Bangladeshi, Bangladeshis
Barbados; ; Barbadian
Belarus; Byelorussia; Belarusian, Belarusians
Belgium; ; Belgian, Belgians
Belize; ; Belizean
Benin; ; Beninese
Bhutan; ; Bhutanese
Bolivia; ; Bolivian, Bolivians
Bosnia and Herzegovina; Bosnia; Bosnian, Bosnians
Botswana; ; Botswanan
Brazil; ; Brazilian, Brazilians
Brunei; ; Bruneian
Bulgaria; ; Bulgarian, Bulgarians
Burkina Faso; Upper Volta; Burkinabe, Burkinabé
Burundi; ; Burundian
Cambodia; ; Cambodian, Cambodians
Cameroon; ; Cameroonian, Cameroonians
Canada; ; Canadian, Canadians
Cape Verde; ; Cape Verdean
Central African Republic; ; Central African
Chad; ; Chadian
Chile; ; Chilean, Chileans
China; People's Republic of China, PRC; Chinese
Colombia; ; Colombian, Colombians
Congo; Democratic Republic of the Congo, Republic of the Congo, DRC, Zaire; Congolese
Costa Rica; ; Costa Rican
Croatia; ; Croatian, Croatians, Croat, Croats
Cuba; ; Cuban, Cubans
Cyprus; ; Cypriot, Cypriots
Czech Republic; Czechia; Czech, Czechs
Czechoslovakia; ; Czechoslovak, Czechoslovakian
Denmark; ; Danish, Dane, Danes
Djibouti; ; Djiboutian
Dominican Republic; ; Dominican
East Timor; Timor-Leste; Timorese
Ecuador; ; Ecuadorian, Ecuadorean
Egypt; ; Egyptian, Egyptians
El Salvador; ; Salvadoran
Eritrea; ; Eritrean
Estonia; ; Estonian, Estonians
Eswatini; Swaziland; Swazi
Ethiopia; ; Ethiopian, Ethiopians
Fiji; ; Fijian
Finland; ; Finnish, Finn, Finns
France; ; French, Frenchman, Frenchwoman
Gabon; ; Gabonese
Gambia; ; Gambian
Germany; Federal Republic of Germany, West Germany, East Germany; German, Germans
Ghana; ; Ghanaian, Ghanaians
Greece; ; Greek, Greeks
Grenada; ; Grenadian
Guatemala; ; Guatemalan
Guinea; ; Guinean
Guyana; ; Guyanese
Haiti; ; Haitian, Haitians
Honduras; ; Honduran
Hungary; ; Hungarian, Hungarians
Iceland; ; Icelandic, Icelander, Icelanders
India; Republic of India; Indian, Indians
Indonesia; ; Indonesian, Indonesians
Iran; Persia; Iranian, Iranians, Persian
Iraq; ; Iraqi, Iraqis
Ireland; Republic of Ireland; Irish, Irishman
Israel; ; Israeli, Israelis
Italy; ; Italian, Italians
Ivory Coast; Côte d'Ivoire; Ivorian
Jamaica; ; Jamaican, Jamaicans
Japan; Empire of Japan; Japanese
Jordan; ; Jordanian
Kazakhstan; ; Kazakh, Kazakhs, Kazakhstani
Kenya; ; Kenyan, Kenyans
Kosovo; ; Kosovar
Kuwait; ; Kuwaiti
Kyrgyzstan; ; Kyrgyz
Laos; ; Laotian
Latvia; ; Latvian, Latvians
Lebanon; ; Lebanese
Lesotho; ; Basotho
Liberia; ; Liberian
Libya; ; Libyan, Libyans
Liechtenstein; ; Liechtensteiner
Lithuania; ; Lithuanian, Lithuanians
Luxembourg; ; Luxembourgish, Luxembourger
Madagascar; ; Malagasy
Malawi; ; Malawian
Malaysia; ; Malaysian, Malaysians
Maldives; ; Maldivian
Mali; ; Malian
Malta; ; Maltese
Mauritania; ; Mauritanian
Mauritius; ; Mauritian
Mexico; ; Mexican, Mexicans
Moldova; ; Moldovan
Monaco; ; Monégasque
Mongolia; ; Mongolian, Mongolians
Montenegro; ; Montenegrin
Morocco; ; Moroccan, Moroccans
Mozambique; ; Mozambican
Myanmar; Burma; Burmese
Namibia; ; Namibian
Nepal; ; Nepali, Nepalese
Netherlands; Holland; Dutch, Dutchman
New Zealand; ; New Zealander, New Zealanders
Nicaragua; ; Nicaraguan
Niger; ; Nigerien
Nigeria; ; Nigerian, Nigerians
North Korea; Democratic People's Republic of Korea, DPRK; North Korean, North Koreans
North Macedonia; ; Macedonian
Norway; ; Norwegian, Norwegians
Oman; ; Omani
Pakistan; ; Pakistani, Pakistanis
Palestine; ; Palestinian, Palestinians
Panama; ; Panamanian
Papua New Guinea; ; Papua New Guinean
Paraguay; ; Paraguayan
Peru; ; Peruvian, Peruvians
Philippines; ; Filipino, Filipinos, Philippine
Poland; ; Polish, Pole, Poles
Portugal; ; Portuguese
Qatar; ; Qatari
Romania; ; Romanian, Romanians
Russia; Russian Federation; Russian, Russians
Rwanda; ; Rwandan
Samoa; ; Samoan
San Marino; ; Sammarinese
Saudi Arabia; ; Saudi, Saudis, Saudi Arabian
Senegal; ; Senegalese
Serbia; ; Serbian, Serb, Serbs
Sierra Leone; ; Sierra Leonean
Singapore; ; Singaporean
Slovakia; ; Slovak, Slovakian
Slovenia; ; Slovenian, Slovene
Somalia; ; Somali
South Africa; ; South African, South Africans
South Korea; Republic of Korea; South Korean, South Koreans
South Sudan; ; South Sudanese
Soviet Union; USSR, U.S.S.R.; Soviet, Soviets
Spain; ; Spanish, Spaniard, Spaniards
Sri Lanka; Ceylon; Sri Lankan
Sudan; ; Sudanese
Suriname; ; Surinamese
Sweden; ; Swedish, Swede, Swedes
Switzerland; ; Swiss
Syria; ; Syrian, Syrians
Taiwan; Republic of China; Taiwanese
Tajikistan; ; Tajik
Tanzania; ; Tanzanian
Thailand; Siam; Thai
Togo; ; Togolese
Tonga; ; Tongan
Trinidad and Tobago; Trinidad; Trinidadian
Tunisia; ; Tunisian, Tunisians
Turkey; Türkiye; Turkish, Turk, Turks
Turkmenistan; ; Turkmen
Uganda; ; Ugandan
Ukraine; ; Ukrainian, Ukrainians
United Arab Emirates; UAE, U.A.E.; Emirati
United Kingdom; UK, U.K., Great Britain, Britain; British, Briton, Britons
United States; United States of America, USA, US, U.S., U.S.A., America; American, Americans
Uruguay; ; Uruguayan
Uzbekistan; ; Uzbek
Vatican City; Vatican;
Venezuela; ; Venezuelan, Venezuelans
Vietnam; Viet Nam; Vietnamese
Yemen; ; Yemeni
Yugoslavia; ; Yugoslav, Yugoslavian
Zambia; ; Zambian
Zimbabwe; Rhodesia; Zimbabwean
"""

# Part; other names; people and adjectives; the country around it.
_PARTS = """
England; ; English, Englishman, Englishwoman; United Kingdom
Scotland; ; Scottish, Scot, Scots; United Kingdom
Wales; ; Welsh, Welshman; United Kingdom
Northern Ireland; ; Northern Irish; United Kingdom
Bavaria; ; Bavarian; Germany
Prussia; ; Prussian; Germany
Saxony; ; Saxon; Germany
Quebec; ; Québécois; Canada
Ontario; ; ; Canada
Alberta; ; ; Canada
British Columbia; ; ; Canada
Manitoba; ; ; Canada
Nova Scotia; ; ; Canada
Saskatchewan; ; ; Canada
New South Wales; ; ; Australia
Queensland; ; ; Australia
South Australia; ; ; Australia
Tasmania; ; ; Australia
Western Australia; ; ; Australia
Sicily; ; Sicilian; Italy
Tuscany; ; Tuscan; Italy
Sardinia; ; Sardinian; Italy
Lombardy; ; ; Italy
Catalonia; ; Catalan; Spain
Andalusia; ; Andalusian; Spain
Brittany; ; Breton; France
Normandy; ; Norman; France
Flanders; ; Flemish; Belgium
Bengal; West Bengal; Bengali; India
Maharashtra; ; ; India
Kerala; ; ; India
Tamil Nadu; ; ; India
Gujarat; ; Gujarati; India
Tibet; ; Tibetan; China
Manchuria; ; Manchurian; China
"""

# Georgia and Washington are left out: the names stand for a country, a city and a person as well.
_STATES_OF_THE_UNITED_STATES = (
    "Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Hawaii, Idaho, "
    "Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, "
    "Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, "
    "North Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota, "
    "Tennessee, Texas, Utah, Vermont, Virginia, West Virginia, Wisconsin, Wyoming"
)
# Former states: people from one of them are also from a successor.
_SUCCESSORS = {
    "Soviet Union": "Russia, Ukraine, Belarus, Estonia, Latvia, Lithuania, Moldova, Armenia, Azerbaijan, Kazakhstan, "
    "Kyrgyzstan, Tajikistan, Turkmenistan, Uzbekistan",
    "Yugoslavia": "Serbia, Croatia, Slovenia, Bosnia and Herzegovina, Montenegro, North Macedonia, Kosovo",
    "Czechoslovakia": "Czech Republic, Slovakia",
}
_CONTINENTS = (
    "Africa: African, Africans; Asia: Asian, Asians; Europe: European, Europeans; North America: North American; "
    "South America: South American; Latin America: Latin American; Oceania: Oceanian; Antarctica: Antarctic; "
    "Scandinavia: Scandinavian; Middle East: Middle Eastern"
)
# Former names and other spellings of a city follow "=".
_CITIES = """
Australia: Adelaide, Brisbane, Canberra, Melbourne, Perth, Sydney
Austria: Graz, Salzburg, Vienna
Belgium: Antwerp, Brussels, Ghent
Brazil: Brasília, Rio de Janeiro, São Paulo
Canada: Montreal, Ottawa, Toronto, Vancouver, Calgary, Winnipeg
China: Beijing = Peking, Guangzhou = Canton, Shanghai, Shenzhen, Wuhan, Nanjing
Czech Republic: Prague, Brno
Denmark: Copenhagen, Aarhus
Egypt: Cairo
Finland: Helsinki, Turku
France: Bordeaux, Lille, Lyon, Marseille, Nice, Paris, Strasbourg, Toulouse
Germany: Berlin, Bremen, Cologne, Dresden, Düsseldorf, Frankfurt, Hamburg, Leipzig, Munich, Nuremberg, Stuttgart
Greece: Athens, Thessaloniki
Hungary: Budapest
India: Ahmedabad, Bangalore = Bengaluru, Chennai = Madras, Delhi, Hyderabad, Kolkata = Calcutta, Mumbai = Bombay, Pune
India: New Delhi
Iran: Tehran
Ireland: Cork, Dublin, Galway
Israel: Haifa, Jerusalem, Tel Aviv
Italy: Bologna, Florence, Genoa, Milan, Naples, Palermo, Rome, Turin, Venice
Japan: Hiroshima, Kobe, Kyoto, Nagasaki, Nagoya, Osaka, Tokyo, Yokohama
Mexico: Guadalajara, Mexico City, Monterrey
Netherlands: Amsterdam, Rotterdam, The Hague, Utrecht
New Zealand: Auckland, Christchurch, Wellington
Norway: Bergen, Oslo, Trondheim
Poland: Gdańsk = Danzig, Kraków = Cracow, Warsaw, Wrocław = Breslau
Portugal: Lisbon, Porto
Russia: Moscow, Saint Petersburg = St. Petersburg = Leningrad = Petrograd
South Africa: Cape Town, Durban, Johannesburg, Pretoria
South Korea: Busan, Seoul
Spain: Barcelona, Bilbao, Madrid, Seville, Valencia
Sweden: Gothenburg, Malmö, Stockholm, Uppsala
Switzerland: Basel, Bern, Geneva, Zürich, Lausanne
Turkey: Ankara, Istanbul = Constantinople, Izmir = Smyrna
Ukraine: Kyiv = Kiev, Kharkiv = Kharkov, Lviv = Lvov = Lemberg, Odessa = Odesa
England: Birmingham, Bristol, Leeds, Liverpool, London, Manchester, Newcastle, Nottingham, Sheffield
Scotland: Aberdeen, Edinburgh, Glasgow
Wales: Cardiff, Swansea
Northern Ireland: Belfast
California: Los Angeles, Oakland, Sacramento, San Diego, San Francisco, San Jose
Colorado: Denver
Florida: Miami, Orlando, Tallahassee, Tampa
Illinois: Chicago
Louisiana: New Orleans
Maryland: Baltimore
Massachusetts: Boston
Michigan: Detroit
Minnesota: Minneapolis
Nevada: Las Vegas
New York: Brooklyn, Manhattan, New York City
Ohio: Cincinnati, Cleveland
Pennsylvania: Philadelphia, Pittsburgh
Tennessee: Memphis, Nashville
Texas: Austin, Dallas, Houston, San Antonio
"""


def _rows(table: str, separator: str = ";") -> list[list[str]]:
    return [[cell.strip() for cell in row.split(separator)] for row in table.strip().splitlines()]


def _names(cell: str) -> list[str]:
    return [name.strip() for name in cell.split(",") if name.strip()]


def _read_places() -> tuple[dict[str, Place], dict[str, Place], dict[str, str]]:
    """The places by their folded names and by the folded words for their people, and the adjective of each place."""
    places: dict[str, Place] = {}
    people: dict[str, Place] = {}
    adjectives: dict[str, str] = {}

    def add(place: Place, other_names: list[str], demonyms: list[str]) -> None:
        places.update((fold(name), place) for name in (place.name, *other_names))
        people.update((fold(name), place) for name in demonyms)
        if demonyms:
            adjectives[place.name] = demonyms[0]

    for name, others, demonyms in _rows(_COUNTRIES):
        add(Place(name, PlaceLevel.COUNTRY), _names(others), _names(demonyms))
    for name, others, demonyms, country in _rows(_PARTS):
        add(Place(name, PlaceLevel.PART, country), _names(others), _names(demonyms))
    for name in _names(_STATES_OF_THE_UNITED_STATES):
        add(Place(name, PlaceLevel.PART, "United States"), [], [])
    for entry in _CONTINENTS.split(";"):
        name, _, demonyms_cell = entry.partition(":")
        add(Place(name.strip(), PlaceLevel.CONTINENT), [], _names(demonyms_cell))
    for whole, cities in _rows(_CITIES, ":"):
        for cell in _names(cities):
            name, *other_names = (part.strip() for part in cell.split("="))
            add(Place(name, PlaceLevel.CITY, whole), other_names, [])
    return places, people, adjectives


_PLACES, _PEOPLE, _ADJECTIVES = _read_places()
_SUCCESSION = frozenset(
    frozenset((state, successor)) for state, successors in _SUCCESSORS.items() for successor in _names(successors)
)


def find_place(name: str) -> Place | None:
    """The listed place of that name, in any case and with any accents."""
    return _PLACES.get(fold(name))


def find_people(name: str) -> Place | None:
    """The listed place of a word for its people or its adjective: Norway for "Norwegian"."""
    return _PEOPLE.get(fold(name))


def adjective_of(place: Place) -> str | None:
    """ "Norwegian" for Norway."""
    return _ADJECTIVES.get(place.name)


def excludes(first: Place, second: Place) -> bool:
    """True if nothing can be in both places."""
    if PlaceLevel.CONTINENT in (first.level, second.level):
        return False
    wholes, other_wholes = _with_wholes(first), _with_wholes(second)
    if first.name in other_wholes or second.name in wholes:
        return False
    return not any(frozenset((one, other)) in _SUCCESSION for one in wholes for other in other_wholes)


def _with_wholes(place: Place) -> list[str]:
    """The names of the place and of all that contain it."""
    chain = [place.name]
    while place.within is not None:
        place = _PLACES[fold(place.within)]
        chain.append(place.name)
    return chain
