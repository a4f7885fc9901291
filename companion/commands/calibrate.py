"""``companion calibrate``: does the camera see the board, and how strong are the magnets?"""

import argparse
import json
import time
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion import config
from companion.board import Board
from companion.boards import profile
from companion.commands import pieces, running
from companion.config import Settings
from companion.errors import ConfigError
from companion.sensing.camera.files import read_picture, write_picture
from companion.sensing.camera.frame import Frame
from companion.sensing.camera.health import examine
from companion.sensing.camera.sources import first_picture, open_source
from companion.sensing.corners import NAMES, Corners
from companion.sensing.vision.eyes import Eyes, Sight
from companion.sensing.vision.outline import corners_of, proposal
from companion.sensing.vision.overlay import draw_grid
from companion.sensing.vision.pose import Pose, find_pose_from_corners
from companion.sensing.vision.quality import quality
from companion.setup.calibration import Calibration
from companion.sim.room import Room


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, a TOML file")
    parser.add_argument("--sim", action="store_true", help="use the simulated camera")
    parser.add_argument(
        "--pieces", action="store_true", help="show each piece to the hall grid instead"
    )
    parser.add_argument("--picture", type=Path, metavar="IMAGE", help="a picture of that camera")
    parser.add_argument(
        "--corners",
        metavar='"X,Y X,Y X,Y X,Y"',
        help=f"where the outer corners of {', '.join(NAMES)} are, in pixels; they are kept",
    )
    parser.add_argument(
        "--forget", action="store_true", help="forget the corners that were kept, or the magnets"
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where the journal is kept")
    parser.add_argument("--out", type=Path, metavar="OUT.png", help="the picture with the grid")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    """Look once and tell; return 1 when the board is not found."""
    settings = config.load(options.config)
    if options.data:
        settings = replace(settings, store=config.StoreSettings(options.data / "journal.db"))
    if options.pieces:
        return pieces.run(options, settings)
    simulate = options.sim or not settings.names_hardware
    source = "sim" if simulate else settings.camera.source
    if source in (None, "none"):
        raise ConfigError(
            "no camera is configured: set camera.source, or try the simulated one with --sim"
        )
    assert source is not None
    page = f"http://localhost:{settings.web.port}/camera"
    said = running.ask(settings, "/api/camera", "found")
    if said is not None and options.picture is None and not options.sim:
        return _tell_running(said, page, options)
    report = _calibrate(options, settings, source)
    report |= {"page": page, "running": said is not None}
    print(json.dumps(report, ensure_ascii=False) if options.json else in_words(report))
    return 0 if report["found"] else 1


def _calibrate(options: argparse.Namespace, settings: Settings, source: str) -> dict[str, Any]:
    board = profile.load(settings.board.profile)
    kept = Calibration.beside(settings.store.path, simulated=source == "sim")
    frame = _take(options, settings, board, source)
    height, width = frame.picture.shape[:2]
    if options.forget:
        kept.keep(source, None, datetime.now(UTC))
    given = Corners.parse(options.corners, width, height) if options.corners else None
    fault = examine(frame).fault
    eyes = Eyes(board, given or kept.corners(source))
    sight = Sight(frame.time, False, fault) if fault else eyes.look(frame)
    report: dict[str, Any] = {
        "camera": str(options.picture or source),
        "found": sight.found,
        "text": sight.text,
        "size": [width, height],
        "markers": {"seen": sorted(sight.markers), "fitted": len(board.markers)},
        "by": None,
    }
    if sight.pose is not None:
        seen = quality(board, frame.picture, sight.pose)
        report["by"] = "markers" if sight.by_markers else "corners"
        report["corners"] = [[round(float(p), 1) for p in c] for c in corners_of(board, sight.pose)]
        report |= asdict(seen) | {"advice": list(seen.advice)}
        target = options.out or _beside(settings)
        _draw(board, frame, sight.pose, target)
        report["drawn"] = str(target)
    elif not fault and given is None:
        report |= _propose(board, frame, options.out or _beside(settings))
    if given is not None and sight.found:
        kept.keep(source, given, datetime.now(UTC))
        report["kept"] = str(kept.path)
    return report


def _take(options: argparse.Namespace, settings: Settings, board: Board, source: str) -> Frame:
    if options.picture is not None:
        return Frame(0.0, read_picture(options.picture), recorded=True)
    camera = settings.camera
    if source == "sim":
        return Room(board, size=camera.size).shoot()
    opened = open_source(source, camera.fps, camera.size, time.monotonic, camera.focus)
    with closing(opened) as device:
        return first_picture(device)


def _beside(settings: Settings) -> Path:
    return Path(settings.store.path).with_name("camera.png")


def _draw(board: Board, frame: Frame, pose: Pose, target: Path) -> None:
    drawn = draw_grid(board, frame.picture, pose)
    write_picture(target, drawn, make_folder=True)


def _propose(board: Board, frame: Frame, target: Path) -> dict[str, Any]:
    """Look for the lattice of a board that nobody has shown, and draw it for people to agree;
    nothing is kept."""
    found = proposal(board, frame)
    corners, (width, height) = found["corners"], found["size"]
    pose = None
    if corners is not None:
        given = Corners.checked(corners, width, height)
        pose = find_pose_from_corners(board, given, width, height)
    if pose is None:
        return {"proposed": None}
    _draw(board, frame, pose, target)
    return {"proposed": corners, "drawn": str(target)}


def _tell_running(said: dict[str, Any], page: str, options: argparse.Namespace) -> int:
    """Tell what the running companion sees: the camera is its own."""
    if options.corners or options.forget:
        raise ConfigError(f"the companion is running: set the corners on {page}, or stop it first")
    if options.json:
        print(json.dumps(said | {"page": page, "running": True}, ensure_ascii=False))
    elif said["found"]:
        print(f"The companion is running and finds the board by its {said['by']}.\nSee {page}")
    else:
        print(f"The companion is running: {said.get('text')}\nSet the corners on {page}")
    return 0 if said["found"] else 1


def in_words(report: dict[str, Any]) -> str:
    """Return the report as lines for people."""
    width, height = report["size"]
    lines = [f"Camera     {report['camera']}", f"Picture    {width} × {height} pixels"]
    markers = report["markers"]
    if markers["fitted"]:
        lines.append(f"Markers    {len(markers['seen'])} of {markers['fitted']} in view")
    if not report["found"]:
        text = report["text"]
        lines.append(f"Board      not found: {text}")
        lines.append("")
        if report.get("proposed"):
            said = " ".join(f"{x:g},{y:g}" for x, y in report["proposed"])
            lines.append(
                f"It may lie where {report['drawn']} has drawn the grid. If the lines lie in"
            )
            lines.append("the grooves and a1 is where you sit, agree by the same command with")
            lines.append(f'    --corners "{said}"')
            lines.append("")
        lines.append("What to do: have the whole board in the picture, in even light. Without")
        lines.append("markers, give its corners here with --corners, or drag them on the page")
        lines.append(f"{report['page']} while `companion play` runs.")
        return "\n".join(lines)
    lines += [
        f"Board      found by its {report['by']}",
        f"Stands     {report['height_mm']:.0f} mm above the board,"
        f" tilted {report['tilt_deg']:.0f}°, sees {report['view_deg']:.0f}° across",
        f"Sharpness  {report['sharpness']} %, a cell is {report['cell_px']:.0f} pixels wide",
        f"Light      {report['brightness']:.0f} of 255, {report['glare']:.0%} of the board glares",
        f"Grid       drawn in {report['drawn']}",
    ]
    if "kept" in report:
        lines.append(f"Corners    kept in {report['kept']}")
    lines += ["", *(report["advice"] or ["All is well."])]
    when = "now" if report["running"] else "while `companion play` runs"
    lines.append(f"The picture with the grid is on {report['page']} {when}.")
    return "\n".join(lines)
