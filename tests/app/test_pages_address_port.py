"""Port 80 is left out of the address in the QR code."""

import pytest

from companion.host.pages_address import PagesAddress


@pytest.mark.parametrize(("port", "address"), [(80, "http://10.42.0.1/"), (8080, "http://10.42.0.1:8080/")])
def test_the_address_names_the_port_only_where_browsers_need_it(port: int, address: str) -> None:
    assert PagesAddress("", port).seen_from("10.42.0.1") == address
    assert PagesAddress("", port).url.endswith("/" if port == 80 else ":8080/")
    assert ":80/" not in PagesAddress("", port).url
