"""The profiles of GPUs that come with the program."""

from __future__ import annotations

from importlib.resources import files

import pytest

from kernels.analysis.device_profiles import Profile, profiles, read_profile

ALL = {profile.id: profile for profile in profiles()}
PUBLISHED_TFLOPS = {"v100": 15.7, "t4": 8.1, "a100": 19.5, "rtx-3060": 12.7, "rtx-4070": 29.1, "rtx-4090": 82.6, "h100": 66.9, "h200": 66.9}


def test_the_peaks_are_the_published_ones() -> None:
    assert {name: round(profile.fp32_gflops / 1000, 1) for name, profile in ALL.items()} == PUBLISHED_TFLOPS


@pytest.mark.parametrize("profile", ALL.values(), ids=lambda profile: profile.id)
def test_a_profile_is_complete_and_names_its_sources(profile: Profile) -> None:
    assert profile.architecture.shared_bytes > 48 * 1024
    assert 5 < profile.ridge < 100
    assert all(source for _, source in profile.sources)
    assert {name for name, _ in profile.sources} >= {"sms", "boost_clock_mhz", "memory_bandwidth_gb_s", "l2_bytes"}


def test_they_come_oldest_first() -> None:
    assert [profile.id for profile in profiles()][:2] == ["v100", "t4"]
    assert profiles()[-1].id == "h200"


def test_a_profile_with_a_value_without_source_is_refused() -> None:
    with pytest.raises(ValueError, match="toy"):
        read_profile("toy", 'name = { value = "Toy" }')


def test_latencies_come_all_or_none() -> None:
    text = files("resources").joinpath("devices/h200.toml").read_text("utf-8")
    known = read_profile("h200", text)
    assert known.latencies is not None
    assert 0 < known.latencies.shared_latency < known.latencies.l2_latency < known.latencies.dram_latency
    without_one = "\n".join(line for line in text.splitlines() if not line.startswith("l2_latency"))
    with pytest.raises(ValueError, match="h200"):
        read_profile("h200", without_one)
    none = "\n".join(line for line in text.splitlines() if "_latency" not in line and not line.startswith(("l2_bytes_per", "launch_us")))
    assert read_profile("h200", none).latencies is None
