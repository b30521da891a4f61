"""Who buys, sells and delivers: countries, people's names, stores. All made up."""

from __future__ import annotations

from typing import NamedTuple


class Country(NamedTuple):
    """One country; ``weight`` is its share of customers in parts, ``tongue`` picks the names, ``zone`` the postage."""

    code: str
    name: str
    region: str
    weight: int
    tongue: str
    zone: str
    cities: tuple[str, ...]


COUNTRIES: tuple[Country, ...] = (
    Country(
        "DE", "Germany", "Europe", 230, "de", "home", ("Berlin", "Hamburg", "Munich", "Cologne", "Leipzig", "Stuttgart")
    ),
    Country("AT", "Austria", "Europe", 60, "de", "europe", ("Vienna", "Graz", "Linz", "Salzburg")),
    Country("CH", "Switzerland", "Europe", 50, "de", "europe", ("Zurich", "Geneva", "Basel", "Bern")),
    Country("FR", "France", "Europe", 95, "fr", "europe", ("Paris", "Lyon", "Marseille", "Nantes")),
    Country("NL", "Netherlands", "Europe", 65, "nl", "europe", ("Amsterdam", "Rotterdam", "Utrecht")),
    Country("BE", "Belgium", "Europe", 30, "nl", "europe", ("Brussels", "Antwerp", "Ghent")),
    Country("IT", "Italy", "Europe", 50, "it", "europe", ("Milan", "Rome", "Turin")),
    Country("ES", "Spain", "Europe", 45, "es", "europe", ("Madrid", "Barcelona", "Valencia")),
    Country("PT", "Portugal", "Europe", 16, "pt", "europe", ("Lisbon", "Porto")),
    Country("PL", "Poland", "Europe", 36, "pl", "europe", ("Warsaw", "Kraków", "Gdańsk")),
    Country("SE", "Sweden", "Europe", 30, "nordic", "europe", ("Stockholm", "Gothenburg", "Malmö")),
    Country("DK", "Denmark", "Europe", 22, "nordic", "europe", ("Copenhagen", "Aarhus")),
    Country("GB", "United Kingdom", "Europe", 70, "en", "world", ("London", "Manchester", "Bristol", "Glasgow")),
    Country("IE", "Ireland", "Europe", 14, "en", "europe", ("Dublin", "Cork")),
    Country(
        "US",
        "United States",
        "North America",
        80,
        "en",
        "world",
        ("New York", "Chicago", "Seattle", "Austin", "Boston"),
    ),
    Country("CA", "Canada", "North America", 24, "en", "world", ("Toronto", "Vancouver", "Montréal")),
    Country("BR", "Brazil", "South America", 14, "pt", "world", ("São Paulo", "Curitiba")),
    Country("CN", "China", "Asia", 48, "zh", "world", ("Shanghai", "Beijing", "Shenzhen", "Hangzhou")),
    Country("JP", "Japan", "Asia", 28, "ja", "world", ("Tokyo", "Osaka", "Kyoto")),
    Country("KR", "South Korea", "Asia", 16, "ko", "world", ("Seoul", "Busan")),
    Country("SG", "Singapore", "Asia", 12, "en", "world", ("Singapore",)),
    Country("AU", "Australia", "Oceania", 22, "en", "world", ("Sydney", "Melbourne", "Perth")),
    Country("NZ", "New Zealand", "Oceania", 8, "en", "world", ("Auckland", "Wellington")),
)

NAMES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # tongue: given names, family names
    "de": (
        (
            "Anna",
            "Jürgen",
            "Lena",
            "Sören",
            "Käthe",
            "Felix",
            "Mia",
            "Lukas",
            "Greta",
            "Björn",
            "Hannah",
            "Emil",
            "Ute",
            "Moritz",
            "Jana",
            "Tobias",
        ),
        (
            "Müller",
            "Schäfer",
            "Weiß",
            "Hoffmann",
            "Krüger",
            "Vogel",
            "Köhler",
            "Brandt",
            "Lindner",
            "Jäger",
            "Sommer",
            "Böhm",
            "Huber",
            "Keller",
            "Wagner",
            "Frank",
        ),
    ),
    "fr": (
        (
            "Élodie",
            "François",
            "Chloé",
            "Hélène",
            "Théo",
            "Camille",
            "Noémie",
            "Luc",
            "Margaux",
            "Rémi",
            "Inès",
            "Antoine",
        ),
        (
            "Lefèvre",
            "Moreau",
            "Dubois",
            "Girard",
            "Besançon",
            "Fournier",
            "Rousseau",
            "Mercier",
            "Bélanger",
            "Chevalier",
            "Perrin",
            "Gauthier",
        ),
    ),
    "nl": (
        ("Sanne", "Daan", "Lotte", "Bram", "Fleur", "Thijs", "Noor", "Sem", "Maud", "Jelle"),
        ("de Vries", "Jansen", "van den Berg", "Bakker", "Visser", "Smit", "Meijer", "de Boer", "Mulder", "Peeters"),
    ),
    "it": (
        ("Giulia", "Niccolò", "Chiara", "Matteo", "Sofia", "Lorenzo", "Elena", "Davide", "Martina", "Andrea"),
        ("Rossi", "Ferrari", "Bianchi", "Colombo", "Ricci", "Marino", "Conti", "Greco", "Lombardi", "D'Angelo"),
    ),
    "es": (
        ("Lucía", "Álvaro", "María", "Íñigo", "Carmen", "Hugo", "Sofía", "Andrés", "Nuria", "Pablo"),
        ("García", "Fernández", "Muñoz", "López", "Ibáñez", "Ruiz", "Núñez", "Castro", "Ortega", "Vidal"),
    ),
    "pt": (
        ("João", "Inês", "Tiago", "Beatriz", "Gonçalo", "Mariana", "Rafael", "Luísa"),
        ("Silva", "Gonçalves", "Magalhães", "Costa", "Araújo", "Pereira", "Conceição", "Rocha"),
    ),
    "pl": (
        ("Zofia", "Łukasz", "Agnieszka", "Paweł", "Małgorzata", "Michał", "Ewa", "Jakub"),
        ("Kowalska", "Nowak", "Wiśniewski", "Wójcik", "Kamiński", "Lewandowski", "Zieliński", "Dąbrowski"),
    ),
    "nordic": (
        ("Astrid", "Søren", "Åsa", "Lars", "Freja", "Mikkel", "Ingrid", "Håkan"),
        ("Lindqvist", "Sørensen", "Åberg", "Nilsson", "Østergaard", "Holm", "Bergström", "Dahl"),
    ),
    "en": (
        (
            "Olivia",
            "Liam",
            "Zoë",
            "Noah",
            "Grace",
            "Ethan",
            "Siobhán",
            "Mason",
            "Ruby",
            "Caleb",
            "Priya",
            "Owen",
            "Naomi",
            "Marcus",
        ),
        (
            "O'Connor",
            "Taylor",
            "Patel",
            "Walker",
            "Brontë",
            "Nguyen",
            "Campbell",
            "Murphy",
            "Reed",
            "Okafor",
            "Harris",
            "Quinn",
            "Foster",
            "Singh",
        ),
    ),
    "zh": (
        ("伟", "芳", "秀英", "敏", "静", "丽", "强", "磊", "洋", "艳", "子轩", "雨桐", "浩然", "欣怡"),
        ("王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴", "欧阳", "林"),
    ),
    "ja": (
        ("陽菜", "蓮", "美咲", "大翔", "さくら", "健太", "結衣", "翔太"),
        ("佐藤", "鈴木", "高橋", "田中", "渡辺", "山本", "小林", "伊藤"),
    ),
    "ko": (
        ("민준", "서연", "지훈", "하은", "도윤", "지우", "수빈", "예준"),
        ("김", "이", "박", "최", "정", "강", "조", "윤"),
    ),
}

GIVEN_NAME_LAST: dict[str, str] = {"zh": "", "ja": " ", "ko": ""}
"""Tongues that write the family name first, with what stands between the two."""


class Store(NamedTuple):
    """``share``: part of all store sales; ``country``: where its customers live."""

    name: str
    city: str
    country: str
    area_m2: int
    opened_on: str
    closed_on: str | None
    share: int


STORES: tuple[Store, ...] = (
    Store("Berlin Mitte", "Berlin", "DE", 820, "2015-03-14", None, 24),
    Store("Hamburg Altona", "Hamburg", "DE", 540, "2016-09-01", None, 15),
    Store("München Schwabing", "Munich", "DE", 610, "2018-05-05", None, 18),
    Store("Köln Ehrenfeld", "Cologne", "DE", 430, "2019-10-12", "2025-06-30", 9),
    Store("Wien Neubau", "Vienna", "AT", 480, "2019-04-06", None, 13),
    Store("Amsterdam Jordaan", "Amsterdam", "NL", 390, "2021-06-19", None, 11),
    Store("Paris Marais", "Paris", "FR", 450, "2023-03-04", None, 14),
    Store("Zürich Enge", "Zurich", "CH", 350, "2024-02-17", None, 10),
)

SUPPLIERS: tuple[tuple[str, str, int, float | None], ...] = (
    # name, country, lead time in days, rating
    ("Nordlicht Manufaktur", "DE", 9, 4.6),
    ("Alpenwerk GmbH", "AT", 12, 4.3),
    ("Atelier Lumière", "FR", 14, 4.1),
    ("Van Dijk Trading", "NL", 8, 4.4),
    ("Officina Bellini", "IT", 16, 3.9),
    ("Taller del Sol", "ES", 15, None),
    ("Baltic Woodworks", "PL", 18, 4.0),
    ("Fjord & Skog", "SE", 11, 4.7),
    ("Harbour Goods", "GB", 20, 3.8),
    ("Great Lakes Outfitters", "US", 28, 4.2),
    ("Maple Ridge Supply", "CA", 30, 3.6),
    ("深圳光明电子", "CN", 35, 4.5),
    ("Hangzhou Silk & Home", "CN", 38, 4.1),
    ("東京文具", "JP", 32, 4.8),
    ("Busan Components", "KR", 33, None),
    ("Lion City Imports", "SG", 27, 3.7),
    ("Cerâmica do Porto", "PT", 17, 4.4),
    ("Southern Cross Outdoor", "AU", 41, 4.0),
)
