"""The JSON of values of the core: pydantic reads and writes it by a *form*, a dataclass of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BeforeValidator, GetCoreSchemaHandler, PlainSerializer, TypeAdapter
from pydantic_core import CoreSchema, core_schema

from ..core.types import Span

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Formed:
    """Gives a dataclass of the core this form in JSON.

    A field of the form has a default if earlier versions did not store it. ``flat`` names the fields whose values are
    not nested in JSON: their own fields are stored among those of the value.
    """

    form: Any
    flat: Mapping[str, type] = field(default_factory=dict)

    def __get_pydantic_core_schema__(self, kind: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler.generate_schema(self.form)
        return core_schema.no_info_after_validator_function(
            lambda formed: self._value(kind, formed),
            schema,
            serialization=core_schema.wrap_serializer_function_ser_schema(
                lambda value, write: write(self._formed(value)), schema=schema
            ),
        )

    def _value(self, kind: type, formed: Any) -> Any:
        values = _values(formed)
        for name, part in self.flat.items():
            values[name] = part(**{own.name: values.pop(own.name) for own in fields(part)})
        return kind(**values)

    def _formed(self, value: Any) -> Any:
        values = _values(value)
        for name in self.flat:
            values |= _values(values.pop(name))
        return self.form(**{own.name: values[own.name] for own in fields(self.form)})


def _values(instance: Any) -> dict[str, Any]:
    return {own.name: getattr(instance, own.name) for own in fields(instance)}


class Codec(Generic[Value]):
    """Writes values of one type as JSON, and reads them."""

    def __init__(self, kind: Any) -> None:
        self._adapter: TypeAdapter[Value] = TypeAdapter(kind)

    def to_json(self, value: Value) -> Any:
        return self._adapter.dump_python(value, mode="json", by_alias=True)

    def from_json(self, stored: Any) -> Value:
        """Raises ValidationError if ``stored`` has another form."""
        return self._adapter.validate_python(stored)


#: A span as ``[start, end]``.
Pair = Annotated[
    Span,
    BeforeValidator(lambda stored: Span(*stored)),
    PlainSerializer(lambda span: [span.start, span.end], return_type=list[int]),
]

#: A probability with four digits.
Rounded = Annotated[float, PlainSerializer(lambda probability: round(probability, 4), return_type=float)]
