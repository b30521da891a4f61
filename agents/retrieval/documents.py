"""What can be found: one document for each table, column, relation, glossary measure and verified question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agents.catalog import Catalog, Column, ForeignKey, Table
from agents.glossary import Glossary, Texts, Words, visible
from agents.retrieval.analysis import has_han, spoken

DocumentKind = Literal["table", "column", "relation", "metric", "question"]

SAMPLES = 5
"""Sample values that go into a column's document; more would drown its name."""

SAMPLE_LENGTH = 40
"""Longer sample values (texts, addresses) say little about what a column is."""


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that a question may be about.

    :ivar id: unique and stable: ``table:orders``, ``column:orders.city``, ``relation:orders.customer_id->customers``,
        ``metric:revenue``, ``question:en:0``.
    :ivar label: what people read in the evidence: ``orders.city``.
    :ivar name: the identifier in words (``ordered at``), or the question itself.
    :ivar table: the table it belongs to; of a relation the owning one; of a metric the first that it reads.
    :ivar names: what people call it, both languages.
    :ivar context: the words around it: a column's table, both ends of a relation.
    :ivar description: comment of the database and descriptions of the glossary.
    :ivar samples: stored values, and what people call them.
    """

    id: str
    kind: DocumentKind
    label: str
    name: str
    table: str = ""
    column: str = ""
    metric: str = ""
    names: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    description: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()

    @property
    def passages(self) -> tuple[str, ...]:
        """The document as texts for the sentence-embedding model, one for each language it speaks.

        Both languages in one text hide each other. Sample values are left to the lexical side: on training questions
        they made the vectors' recall worse.
        """
        return tuple(text for han in (False, True) if (text := self._passage(han)))

    def _passage(self, han: bool) -> str:
        names, context, description = (
            [text for text in texts if text and has_han(text) == han]
            for texts in ((self.name, *self.names), self.context, self.description)
        )
        if not names:
            return ""
        head = f"{' '.join(context)}: {names[0]}" if context else names[0]
        return " ".join(f"{part}." for part in (head, ", ".join(names[1:]), *description) if part)

    @property
    def spoken_names(self) -> tuple[str, ...]:
        """Every name of the thing itself, its identifier in words first; none for relations and questions."""
        if self.kind in ("relation", "question"):
            return ()
        return tuple(dict.fromkeys((self.name, *self.names)))


def build_documents(catalog: Catalog, glossary: Glossary) -> tuple[Document, ...]:
    """All documents of a connection, in catalog order; what the glossary hides is left out."""
    documents: list[Document] = []
    catalog, glossary = visible(catalog, glossary)
    for table in catalog.tables:
        entry = glossary.table(table.name)
        shown = [c for c in table.columns if not glossary.column(table.name, c.name).hidden]
        documents.append(
            Document(
                id=f"table:{table.name}",
                kind="table",
                label=table.name,
                name=spoken(table.name),
                table=table.name,
                names=entry.names.all(),
                description=_sentences(table.comment, entry.description),
            )
        )
        documents += (_column(table, column, glossary) for column in shown)
    for table in catalog.tables:
        documents += (_relation(table, key, glossary) for key in table.foreign_keys)
    documents += _metrics(glossary)
    documents += _questions(glossary.questions)
    return tuple(documents)


def _column(table: Table, column: Column, glossary: Glossary) -> Document:
    entry = glossary.column(table.name, column.name)
    # Numbers and dates look alike in every column; only words say what a column holds.
    texts = [value for value in column.samples if isinstance(value, str) and re.search(r"[^\W\d_]", value)]
    samples = [value for value in texts if len(value) <= SAMPLE_LENGTH][:SAMPLES]
    for value, words in entry.values.items():
        samples += [value, *words.all()]
    return Document(
        id=f"column:{table.name}.{column.name}",
        kind="column",
        label=f"{table.name}.{column.name}",
        name=spoken(column.name),
        table=table.name,
        column=column.name,
        names=entry.names.all(),
        context=_called(table.name, glossary),
        description=_sentences(column.comment, entry.description),
        samples=tuple(dict.fromkeys(samples)),
    )


def _relation(table: Table, key: ForeignKey, glossary: Glossary) -> Document:
    columns = ", ".join(key.columns)
    return Document(
        id=f"relation:{table.name}.{'+'.join(key.columns)}->{key.ref_table}",
        kind="relation",
        label=f"{table.name}.{columns} → {key.ref_table}.{', '.join(key.ref_columns)}",
        name=f"{spoken(table.name)} {spoken(key.ref_table)}",
        table=table.name,
        column=key.columns[0],
        context=tuple(dict.fromkeys(_called(table.name, glossary) + _called(key.ref_table, glossary))),
    )


def _metrics(glossary: Glossary) -> Iterator[Document]:
    for name, measure in glossary.measures.items():
        columns = re.findall(r"\b(\w+)\.(\w+)\b", measure.expression)
        yield Document(
            id=f"metric:{name}",
            kind="metric",
            label=name,
            name=spoken(name),
            table=columns[0][0] if columns else "",
            metric=name,
            names=measure.names.all(),
            description=_sentences("", measure.description),
        )


def _questions(questions: Words) -> Iterator[Document]:
    for lang, texts in (("en", questions.en), ("zh", questions.zh)):
        for number, text in enumerate(texts):
            yield Document(id=f"question:{lang}:{number}", kind="question", label=text, name=text)


def _called(table: str, glossary: Glossary) -> tuple[str, ...]:
    names = glossary.table(table).names
    return tuple(dict.fromkeys(name for name in (spoken(table), names.first("en"), names.first("zh")) if name))


def _sentences(comment: str, texts: Texts) -> tuple[str, ...]:
    return tuple(text.strip() for text in (comment, texts.en, texts.zh) if text.strip())
