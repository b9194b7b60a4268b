"""Which devices can be chosen."""

from pathlib import Path

from hardware.connected import loudspeaker_names, usb_cameras


def video(sys: Path, number: int, name: str, index: int, device: str) -> None:
    folder = sys / f"video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(name + "\n")
    (folder / "index").write_text(f"{index}\n")
    target = sys.parent / device
    target.mkdir(parents=True, exist_ok=True)
    (folder / "device").symlink_to(target)


def test_only_the_picture_of_a_usb_camera_is_offered(tmp_path: Path) -> None:
    sys = tmp_path / "video4linux"
    video(sys, 10, "C920", 0, "platform/usb1/1-1/1-1:1.0")
    video(sys, 11, "C920", 1, "platform/usb1/1-1/1-1:1.0")
    video(sys, 0, "unicam", 0, "platform/soc/fe801000.csi")
    video(sys, 2, "Old webcam", 0, "platform/usb1/1-2/1-2:1.0")
    assert usb_cameras(sys) == [(2, "Old webcam"), (10, "C920")]
    assert usb_cameras(tmp_path / "none") == []


def test_loudspeakers_are_named_as_alsa_opens_them_at_any_rate() -> None:
    listed = [
        "card 0: Headphones [bcm2835 Headphones], device 0: bcm2835 Headphones [bcm2835 Headphones]",
        "card 2: Device [USB Audio Device], device 0: USB Audio [USB Audio]",
        "something else",
    ]
    assert loudspeaker_names(listed) == [
        ("plughw:CARD=Headphones,DEV=0", "bcm2835 Headphones"),
        ("plughw:CARD=Device,DEV=0", "USB Audio Device"),
    ]
