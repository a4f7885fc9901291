"""What the tests of the pages share: window sizes, requests to wait for, places to click."""

PHONE = {"width": 360, "height": 780}
DESK = {"width": 1400, "height": 900}


def sent(page, path):
    """Expect a POST to this path; its body is the value's ``post_data_json``."""
    return page.expect_request(lambda request: request.url.endswith(path))


def answered(page, path):
    """Expect the answer of a POST to this path: the table has then obeyed."""
    return page.expect_response(lambda response: response.url.endswith(path))


def point(page, x, y, picture="table"):
    """Return where a place in millimetres is in the window; the picture is the table's or the
    board's."""
    where = page.evaluate(
        """([x, y, picture]) => {
            const svg = document.getElementById(picture);
            const at = new DOMPoint(x, -y).matrixTransform(svg.getScreenCTM());
            return [at.x, at.y];
        }""",
        [x, y, picture],
    )
    return where[0], where[1]
