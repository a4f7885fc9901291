"""Reads the documents for people: their commands, links, pictures and quotations, line by line.

A command stands in a fenced block marked ``sh`` or ``console`` (there after ``$``), in an indented
block that begins with a program, or in the running text as code that begins with one.
"""

import ast
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / part / "README.md" for part in ("deploy", "firmware", "hardware")),
    ROOT / "hardware" / "wiring.md",
)

#: What an indented block, or code in the running text, must begin with to be a command.
OURS = ("companion", "curl", "make", "printf", "python", "python3")
OTHERS = (
    "cd",
    "git",
    "journalctl",
    "mpremote",
    "pip",
    "pipx",
    "sudo",
    "systemctl",
    "systemd-analyze",
)
SYSTEM = ("aplay", "df", "espeak-ng", "ls", "rpicam-hello", "vcgencmd")
PROGRAMS = frozenset((*OURS, *OTHERS, *SYSTEM))
SHELLS = ("sh", "console", "shell", "bash")

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*(\w*)")
_INDENTED = re.compile(r"^( {4,}|\t)\S")
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()]*\))?)[^)]*\)")
_SOURCE = re.compile(r'<(?:img|a)\b[^>]*?(?:src|href)="([^"]+)"')
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")


@dataclass(frozen=True)
class Command:
    """A command that a document shows; ``block`` are all commands that stand around it."""

    where: str
    text: str
    inline: bool = False
    block: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Return its words, without what the shell takes for a comment."""
        return tuple(shlex.split(self.text, comments=True))


@dataclass(frozen=True)
class Block:
    """A block of code: the line it begins on, its kind if it says one, and its lines."""

    line: int
    kind: str
    fenced: bool
    lines: tuple[str, ...]


def split(text: str) -> tuple[list[Block], str]:
    """Return the blocks of code of a document, and its other text with the lines kept in place."""
    blocks: list[Block] = []
    prose: list[str] = []
    begun: tuple[int, str, str] | None = None  # where a fence was opened, its kind and its mark
    inside: list[str] = []
    blank = True
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if begun is not None:
            if fence and fence[1].startswith(begun[2]) and not fence[2]:
                blocks.append(Block(begun[0], begun[1], True, tuple(inside)))
                begun = None
            else:
                inside.append(line)
            prose.append("")
            continue
        if fence:
            begun, inside = (number, fence[2], fence[1]), []
            prose.append("")
            continue
        if _INDENTED.match(line) and blank:
            goes_on = bool(blocks) and not blocks[-1].fenced and _ends(blocks[-1]) == number
            if goes_on:
                last = blocks.pop()
                lines = (*last.lines, line.strip())
                blocks.append(Block(last.line, "", False, lines))
            else:
                blocks.append(Block(number, "", False, (line.strip(),)))
            prose.append("")
            continue
        prose.append(line)
        blank = not line.strip()
    assert begun is None, f"a fence of line {begun and begun[0]} is never closed"
    return blocks, "\n".join(prose)


def _ends(block: Block) -> int:
    return block.line + len(block.lines)


def commands(path: Path, text: str | None = None) -> list[Command]:
    """Return the commands of a document in their order."""
    name = path.relative_to(ROOT).as_posix()
    blocks, prose = split(path.read_text(encoding="utf-8") if text is None else text)
    found: list[tuple[int, Command]] = []
    for block in blocks:
        shown = list(_shell_lines(block))
        texts = tuple(text for _, text in shown)
        found += [(n, Command(f"{name}:{n}", text, block=texts)) for n, text in shown]
    for at in _CODE.finditer(prose):
        code = " ".join(at[1].split())
        if _is_command(code):
            number = prose.count("\n", 0, at.start()) + 1
            found.append((number, Command(f"{name}:{number}", code, inline=True)))
    return [command for _, command in sorted(found, key=lambda pair: pair[0])]


def _shell_lines(block: Block) -> Iterator[tuple[int, str]]:
    """Yield the commands of a block with their lines; a backslash joins two of them."""
    marked = block.kind in SHELLS
    if not marked and (block.fenced or not _is_command(block.lines[0])):
        return
    joined, first = "", 0
    for number, line in enumerate(block.lines, block.line + block.fenced):
        text = line.strip()
        if block.kind == "console":
            if not joined and not text.startswith("$"):
                continue  # what the program answers
            text = text.removeprefix("$").strip()
        first = first if joined else number
        joined += text
        if joined.endswith("\\"):
            joined = f"{joined[:-1].rstrip()} "
            continue
        if joined and not joined.startswith("#") and "…" not in joined:
            yield first, joined
        joined = ""


def _is_command(code: str) -> bool:
    first, _, rest = code.partition(" ")
    return bool(rest) and "…" not in code and (first in PROGRAMS or first.endswith(".sh"))


def links(path: Path, text: str | None = None) -> list[tuple[str, str]]:
    """Return where a document points, each with the line it stands on."""
    name = path.relative_to(ROOT).as_posix()
    prose = split(path.read_text(encoding="utf-8") if text is None else text)[1]
    prose = _CODE.sub(lambda at: re.sub(r"[^\n]", " ", at[0]), prose)
    found = []
    for pattern in (_LINK, _SOURCE):
        for at in pattern.finditer(prose):
            found.append((f"{name}:{prose.count(chr(10), 0, at.start()) + 1}", at[1]))
    return found


def rows(text: str) -> list[list[str]]:
    """Return the rows of a text's tables, without their headings."""
    tables = re.findall(r"^\|[-:| ]+\|\n((?:\|.*(?:\n|$))+)", text, re.MULTILINE)
    lines = [line for table in tables for line in table.splitlines()]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def anchors(text: str) -> set[str]:
    """Return the anchors that a document's headings have on the web."""
    found: set[str] = set()
    for line in split(text)[1].splitlines():
        heading = _HEADING.match(line)
        if heading is None:
            continue
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).strip().replace(" ", "-")
        number = 1
        anchor = slug
        while anchor in found:
            anchor, number = f"{slug}-{number}", number + 1
        found.add(anchor)
    return found


def broken_links(path: Path, text: str | None = None) -> list[str]:
    """Return the links of a document that lead nowhere, in words."""
    problems = []
    for where, target in links(path, text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = unescape(target).partition("#")
        there = (path.parent / file).resolve() if file else path
        if file and not there.exists():
            problems.append(f"{where}: there is no {file}")
        elif anchor and there.suffix == ".md":
            said = text if there == path and text is not None else there.read_text(encoding="utf-8")
            if anchor not in anchors(said):
                problems.append(f"{where}: {file or path.name} has no heading for #{anchor}")
    return problems


# --- what the program says ------------------------------------------------------------------------

GAP = "…"


@cache
def sayings() -> tuple[str, ...]:
    """Return every text of the program, with … for what is only known when it runs."""
    found: list[str] = []
    for file in sorted((ROOT / "companion").rglob("*.py")):
        found += _texts(ast.parse(file.read_text(encoding="utf-8")))
    web = ROOT / "companion" / "web"
    for file in sorted((*web.glob("templates/*.html"), *web.glob("static/*.js"))):
        shown = re.sub(r"\$?\{[^{}]*\}", GAP, file.read_text(encoding="utf-8"))
        found.append(_plain(unescape(shown)))
    for file in sorted((ROOT / "deploy").glob("*.sh")):
        found.append(_plain(re.sub(r"\$\{?\w+\}?", GAP, file.read_text(encoding="utf-8"))))
    return tuple(text for text in found if text)


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else GAP for part in node.values)
            yield _plain("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield _plain(node.value)


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").split())


def quotations(text: str) -> list[str]:
    """Return what a document quotes: all that stands between “ and ”, blocks of code aside."""
    return [_plain(quote) for quote in re.findall("“([^”]+)”", split(text)[1])]


def is_said(quote: str, texts: Iterable[str] | None = None) -> bool:
    """Tell whether the program says this: … stands for anything, the first letter is as it likes.

    The full stop at the end may be the sentence's around it; two sentences may come from two
    places.
    """
    sentences = re.split(r"(?<=[.?!]) +(?=[A-Z])", quote)
    if len(sentences) > 1 and not _is_said(quote, texts):
        return all(is_said(sentence, texts) for sentence in sentences)
    return _is_said(quote, texts)


def _is_said(quote: str, texts: Iterable[str] | None) -> bool:
    parts = [part.strip() for part in _plain(quote).rstrip(".").split(GAP) if part.strip(" .,:;")]
    if not parts:
        return False
    first = re.escape(parts[0])
    if parts[0][0].isalpha():
        first = f"[{parts[0][0].lower()}{parts[0][0].upper()}]{re.escape(parts[0][1:])}"
    pattern = re.compile(".*?".join([first, *map(re.escape, parts[1:])]), re.DOTALL)
    return any(pattern.search(text) for text in (sayings() if texts is None else texts))
