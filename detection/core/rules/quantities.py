"""Quantities: an amount of a physical unit, converted within its dimension ("12 km" and "7.5 miles")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from detection.core.rules.base import Family, Relation, Value
from detection.core.rules.measures import Dimension, Measure, Unit, UnitTable, find_measures
from detection.core.rules.reading import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity(Value):
    """A measured quantity."""

    family: ClassVar[Family] = Family.QUANTITY
    measure: Measure

    def relation_to(self, other: Value) -> Relation:
        return self.measure.relation_to(other.measure) if isinstance(other, Quantity) else Relation.UNRELATED


# Dimension, factor to the base unit, words in any case, symbols as written. Base units are those of the SI, plus
# degrees Celsius, bytes and inhabitants per square kilometre. An underscore is a space. Gallons and pints are American.
_UNITS: tuple[tuple[Dimension, float, str, str], ...] = (
    (Dimension.LENGTH, 1e-9, "nanometre nanometres nanometer nanometers", "nm"),
    (Dimension.LENGTH, 1e-6, "micrometre micrometres micrometer micrometers micron microns", "μm µm"),
    (Dimension.LENGTH, 1e-3, "millimetre millimetres millimeter millimeters", "mm"),
    (Dimension.LENGTH, 1e-2, "centimetre centimetres centimeter centimeters", "cm"),
    (Dimension.LENGTH, 1.0, "metre metres meter meters", "m"),
    (Dimension.LENGTH, 1e3, "kilometre kilometres kilometer kilometers kms", "km"),
    (Dimension.LENGTH, 0.0254, "inch inches", "″"),
    (Dimension.LENGTH, 0.3048, "foot feet", "ft ft. ′"),
    (Dimension.LENGTH, 0.9144, "yard yards", "yd yds"),
    (Dimension.LENGTH, 1609.344, "mile miles", "mi mi."),
    (Dimension.LENGTH, 1852.0, "nautical_mile nautical_miles", "nmi"),
    (Dimension.LENGTH, 1.495978707e11, "astronomical_unit astronomical_units", "AU"),
    (Dimension.LENGTH, 9.4607e15, "light_year light_years light-year light-years lightyears", "ly"),
    (Dimension.LENGTH, 3.0857e16, "parsec parsecs", "pc"),
    (Dimension.AREA, 1e-4, "square_centimetre square_centimetres square_centimeter square_centimeters", "cm² cm2"),
    (Dimension.AREA, 1.0, "square_metre square_metres square_meter square_meters sq_m", "m² m2"),
    (Dimension.AREA, 1e4, "hectare hectares", "ha"),
    (
        Dimension.AREA,
        1e6,
        "square_kilometre square_kilometres square_kilometer square_kilometers sq_km sq._km",
        "km² km2",
    ),
    (Dimension.AREA, 0.09290304, "square_foot square_feet sq_ft sq._ft", "ft² ft2"),
    (Dimension.AREA, 4046.8564224, "acre acres", ""),
    (Dimension.AREA, 2.589988110336e6, "square_mile square_miles sq_mi sq._mi", "mi² mi2"),
    (Dimension.VOLUME, 1e-6, "millilitre millilitres milliliter milliliters cubic_centimetres", "ml mL cm³ cm3"),
    (Dimension.VOLUME, 1e-3, "litre litres liter liters", "l L"),
    (Dimension.VOLUME, 1.0, "cubic_metre cubic_metres cubic_meter cubic_meters", "m³ m3"),
    (Dimension.VOLUME, 1e9, "cubic_kilometre cubic_kilometres cubic_kilometer cubic_kilometers", "km³ km3"),
    (Dimension.VOLUME, 0.028316846592, "cubic_foot cubic_feet", "ft³"),
    (Dimension.VOLUME, 0.000473176473, "pint pints", ""),
    (Dimension.VOLUME, 0.003785411784, "gallon gallons", "gal"),
    (Dimension.VOLUME, 0.158987294928, "barrel barrels", "bbl"),
    (Dimension.MASS, 1e-6, "milligram milligrams", "mg"),
    (Dimension.MASS, 1e-3, "gram grams gramme grammes", "g"),
    (Dimension.MASS, 1.0, "kilogram kilograms kilogramme kilogrammes kilo kilos", "kg"),
    (Dimension.MASS, 1e3, "tonne tonnes metric_ton metric_tons", "t"),
    (Dimension.MASS, 907.18474, "ton tons short_ton short_tons", ""),
    (Dimension.MASS, 1016.0469088, "long_ton long_tons", ""),
    (Dimension.MASS, 0.45359237, "pound pounds", "lb lbs lb. lbs."),
    (Dimension.MASS, 0.028349523125, "ounce ounces", "oz"),
    (Dimension.MASS, 6.35029318, "stone", ""),
    (Dimension.SPEED, 1.0, "metres_per_second meters_per_second", "m/s"),
    (Dimension.SPEED, 1 / 3.6, "kilometres_per_hour kilometers_per_hour kmh kph", "km/h"),
    (Dimension.SPEED, 0.44704, "miles_per_hour miles_an_hour mph", ""),
    (Dimension.SPEED, 1852 / 3600, "knot knots", "kn"),
    (Dimension.ENERGY, 1.0, "joule joules", "J"),
    (Dimension.ENERGY, 1e3, "kilojoule kilojoules", "kJ"),
    (Dimension.ENERGY, 1e6, "megajoule megajoules", "MJ"),
    (Dimension.ENERGY, 4184.0, "kilocalorie kilocalories calorie calories", "kcal"),
    (Dimension.ENERGY, 3.6e6, "kilowatt_hour kilowatt_hours kilowatt-hour kilowatt-hours", "kWh"),
    (Dimension.ENERGY, 3.6e9, "megawatt_hour megawatt_hours megawatt-hour megawatt-hours", "MWh"),
    (Dimension.ENERGY, 3.6e12, "gigawatt_hour gigawatt_hours gigawatt-hour gigawatt-hours", "GWh"),
    (Dimension.ENERGY, 3.6e15, "terawatt_hour terawatt_hours terawatt-hour terawatt-hours", "TWh"),
    (Dimension.POWER, 1.0, "watt watts", "W"),
    (Dimension.POWER, 1e3, "kilowatt kilowatts", "kW"),
    (Dimension.POWER, 1e6, "megawatt megawatts", "MW"),
    (Dimension.POWER, 1e9, "gigawatt gigawatts", "GW"),
    (Dimension.POWER, 745.69987, "horsepower", "hp bhp"),
    (Dimension.DATA, 0.125, "bit bits", ""),
    (Dimension.DATA, 1.0, "byte bytes", ""),
    (Dimension.DATA, 1e3, "kilobyte kilobytes", "kB KB"),
    (Dimension.DATA, 1e6, "megabyte megabytes", "MB"),
    (Dimension.DATA, 1e9, "gigabyte gigabytes", "GB"),
    (Dimension.DATA, 1e12, "terabyte terabytes", "TB"),
    (Dimension.DATA, 1e15, "petabyte petabytes", "PB"),
    (Dimension.DATA, 2.0**20, "mebibyte mebibytes", "MiB"),
    (Dimension.DATA, 2.0**30, "gibibyte gibibytes", "GiB"),
    (Dimension.DATA_RATE, 1e3, "kilobits_per_second", "kbit/s kbps Kbps"),
    (Dimension.DATA_RATE, 1e6, "megabits_per_second", "Mbit/s Mbps"),
    (Dimension.DATA_RATE, 1e9, "gigabits_per_second", "Gbit/s Gbps"),
    (Dimension.FREQUENCY, 1.0, "hertz", "Hz"),
    (Dimension.FREQUENCY, 1e3, "kilohertz", "kHz"),
    (Dimension.FREQUENCY, 1e6, "megahertz", "MHz"),
    (Dimension.FREQUENCY, 1e9, "gigahertz", "GHz"),
    (Dimension.PRESSURE, 1.0, "pascal pascals", "Pa"),
    (Dimension.PRESSURE, 1e2, "hectopascal hectopascals millibar millibars", "hPa mbar"),
    (Dimension.PRESSURE, 1e3, "kilopascal kilopascals", "kPa"),
    (Dimension.PRESSURE, 1e5, "bar bars", ""),
    (Dimension.PRESSURE, 101325.0, "atmosphere atmospheres", "atm"),
    (Dimension.PRESSURE, 6894.757, "pounds_per_square_inch psi", ""),
    (Dimension.VOLTAGE, 1.0, "volt volts", "V"),
    (Dimension.VOLTAGE, 1e3, "kilovolt kilovolts", "kV"),
    (
        Dimension.POPULATION_DENSITY,
        1.0,
        "people_per_square_kilometre people_per_square_kilometer inhabitants_per_square_kilometre "
        "inhabitants_per_square_kilometer per_square_kilometre per_square_kilometer people_per_km2 people_per_km² "
        "inhabitants_per_km2 inhabitants_per_km²",
        "/km² /km2",
    ),
    (
        Dimension.POPULATION_DENSITY,
        1 / 2.589988110336,
        "people_per_square_mile inhabitants_per_square_mile per_square_mile",
        "/sq_mi",
    ),
    (Dimension.SOUND_LEVEL, 1.0, "decibel decibels", "dB"),
)
_CELSIUS = Unit(Dimension.TEMPERATURE, 1.0)
_FAHRENHEIT = Unit(Dimension.TEMPERATURE, 5 / 9, -160 / 9)
_KELVIN = Unit(Dimension.TEMPERATURE, 1.0, -273.15)


def _table() -> UnitTable:
    names = {
        "degrees celsius": _CELSIUS,
        "degrees centigrade": _CELSIUS,
        "degrees fahrenheit": _FAHRENHEIT,
        "kelvin": _KELVIN,
    }
    symbols = {"°C": _CELSIUS, "° C": _CELSIUS, "°F": _FAHRENHEIT, "° F": _FAHRENHEIT}
    for dimension, factor, unit_names, unit_symbols in _UNITS:
        unit = Unit(dimension, factor)
        names |= dict.fromkeys(_phrases(unit_names), unit)
        symbols |= dict.fromkeys(_phrases(unit_symbols), unit)
    return UnitTable(names, symbols, parts={"in": names["inch"], "in.": names["inch"]})


def _phrases(listed: str) -> list[str]:
    return [name.replace("_", " ") for name in listed.split()]


_TABLE = _table()


def find(reading: Reading) -> Iterator[Quantity]:
    """Find the quantities of a sentence."""
    for measure in find_measures(reading.text, reading.figures, _TABLE):
        yield Quantity(span=measure.span, text=measure.span.of(reading.text), measure=measure)
