"""What is sold: categories with their seasons, and the articles of each with a price to start from. All made up."""

from __future__ import annotations

from typing import NamedTuple

SEASONS: dict[str, tuple[float, ...]] = {
    # how much more than usual is sold from January to December
    "flat": (1.0,) * 12,
    "summer": (0.4, 0.5, 0.8, 1.2, 1.6, 1.9, 1.8, 1.4, 0.9, 0.6, 0.5, 0.4),
    "winter": (1.4, 1.2, 0.9, 0.7, 0.6, 0.5, 0.5, 0.6, 0.9, 1.3, 1.6, 1.6),
    "school": (1.3, 0.9, 0.8, 0.8, 0.8, 0.8, 1.0, 1.8, 1.7, 1.0, 0.9, 0.8),
    "gift": (0.8, 0.8, 0.8, 0.9, 0.9, 0.9, 0.8, 0.8, 0.9, 1.0, 1.5, 1.9),
}


class Category(NamedTuple):
    """``returned``: the chance that a line sold online comes back; ``goods``: article and price in EUR."""

    name: str
    division: str
    season: str
    returned: float
    brands: tuple[str, ...]
    goods: tuple[tuple[str, int], ...]


CATEGORIES: tuple[Category, ...] = (
    Category("Cookware", "Kitchen", "gift", 0.02, ("Herdfeuer", "Casserole & Co", "Kupferhaus"), (
        ("Cast Iron Pan", 64), ("Saucepan", 42), ("Stock Pot", 79), ("Wok", 55), ("Roasting Tin", 34),
        ("Chef's Knife", 89), ("Bread Knife", 38), ("Cutting Board", 29), ("Mixing Bowl Set", 45),
        ("Baking Sheet", 18), ("Casserole Dish", 119),
    )),
    Category("Coffee & Tea", "Kitchen", "gift", 0.02, ("Morgenrot", "Kaldi", "Teehaus Linden"), (
        ("Espresso Machine", 349), ("Coffee Grinder", 119), ("French Press", 36), ("Pour-Over Set", 44),
        ("Moka Pot", 32), ("Teapot", 39), ("Electric Kettle", 69), ("Milk Frother", 28), ("Travel Mug", 24),
        ("Tea Sampler", 19),
    )),
    Category("Tableware", "Kitchen", "gift", 0.03, ("Porto Azul", "Weißgold"), (
        ("Dinner Plate Set", 72), ("Soup Bowl Set", 48), ("Wine Glass Set", 54), ("Cutlery Set", 96),
        ("Serving Platter", 37), ("Water Carafe", 27), ("Linen Napkins", 22), ("Espresso Cups", 31),
    )),
    Category("Lighting", "Home", "winter", 0.03, ("Lumen", "Nordlys"), (
        ("Floor Lamp", 139), ("Table Lamp", 69), ("Pendant Light", 109), ("Reading Light", 39), ("Fairy Lights", 16),
        ("Wall Sconce", 58), ("Lantern", 33), ("LED Bulb Pack", 14),
    )),
    Category("Bedding", "Home", "winter", 0.05, ("Wolkenreich", "Silk Road"), (
        ("Down Duvet", 189), ("Linen Duvet Cover", 129), ("Pillow", 49), ("Mattress Topper", 219),
        ("Wool Blanket", 99), ("Flannel Sheets", 59), ("Weighted Blanket", 109),
    )),
    Category("Storage", "Home", "flat", 0.02, ("Ordnung", "Baltic Oak"), (
        ("Bookshelf", 169), ("Shoe Rack", 49), ("Storage Basket", 26), ("Coat Hanger Set", 17),
        ("Laundry Hamper", 44), ("Wall Shelf", 39), ("Under-Bed Box", 29),
    )),
    Category("Audio", "Electronics", "gift", 0.06, ("Resonanz", "Pulse", "Koto"), (
        ("Wireless Headphones", 179), ("Earbuds", 99), ("Bluetooth Speaker", 89), ("Soundbar", 249),
        ("Turntable", 299), ("USB Microphone", 119), ("Studio Monitor", 209), ("Radio Alarm Clock", 49),
    )),
    Category("Computer Accessories", "Electronics", "school", 0.05, ("Tastwerk", "Pulse", "光点"), (
        ("Mechanical Keyboard", 129), ("Wireless Mouse", 49), ("Laptop Stand", 45), ("USB-C Hub", 59), ("Webcam", 79),
        ("Monitor Arm", 99), ("External SSD", 119), ("Laptop Sleeve", 29), ("Cable Kit", 19),
        ("27-inch Monitor", 329),
    )),
    Category("Smart Home", "Electronics", "gift", 0.07, ("Hausgeist", "光点"), (
        ("Smart Plug", 19), ("Smart Thermostat", 149), ("Video Doorbell", 129), ("Motion Sensor", 29),
        ("Smart Bulb", 22), ("Robot Vacuum", 399), ("Air Purifier", 189), ("Smart Scale", 59),
    )),
    Category("Camping", "Outdoor", "summer", 0.03, ("Fernweh", "Maple Ridge"), (
        ("Two-Person Tent", 229), ("Family Tent", 449), ("Sleeping Bag", 129), ("Camping Stove", 59),
        ("Headlamp", 35), ("Hammock", 49), ("Cool Box", 79), ("Folding Chair", 45), ("Trekking Poles", 69),
        ("Backpack", 139),
    )),
    Category("Cycling", "Outdoor", "summer", 0.04, ("Velociraptor", "Fernweh"), (
        ("Bike Helmet", 79), ("Bike Lock", 59), ("Pannier Bag", 89), ("Floor Pump", 45), ("Bike Light Set", 39),
        ("Multi-Tool", 27), ("Rain Jacket", 119), ("Water Bottle", 14),
    )),
    Category("Garden", "Outdoor", "summer", 0.02, ("Grünspan", "Cottage"), (
        ("Pruning Shears", 32), ("Garden Hose", 46), ("Raised Bed", 129), ("Plant Pot", 24), ("Watering Can", 29),
        ("Parasol", 149), ("Fire Pit", 189), ("Herb Seed Box", 12), ("Garden Bench", 279),
    )),
    Category("Stationery", "Office", "school", 0.01, ("東雲", "Papierwerk", "Federleicht"), (
        ("Fountain Pen", 49), ("Notebook", 16), ("Desk Planner", 22), ("Pencil Set", 18), ("Washi Tape Set", 9),
        ("Letter Paper", 14), ("Desk Organiser", 34), ("Ink Bottle", 12),
    )),
    Category("Office Furniture", "Office", "school", 0.03, ("Ordnung", "Werkbank"), (
        ("Standing Desk", 549), ("Ergonomic Chair", 429), ("Filing Cabinet", 159), ("Desk Lamp", 69),
        ("Whiteboard", 89), ("Footrest", 45), ("Monitor Riser", 39),
    )),
)  # fmt: skip
