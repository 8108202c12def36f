"""TensorBoard's own readers on files of ours, and our reader on a file of TensorBoard's own writer.

    read_events.py PROGRAM      where PROGRAM is event_file_program
"""
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from tensorboard.backend.event_processing import event_accumulator, event_file_loader, io_wrapper
from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.summary.writer import event_file_writer

PROGRAM = None


def npq(*words):
    return subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True).stdout


class EventFiles(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def file(self):
        (path,) = pathlib.Path(self.folder).iterdir()
        self.assertTrue(io_wrapper.IsSummaryEventsFile(str(path)))
        return path

    def curves(self):
        """What the web page would draw: tag -> [(step, value), ...]."""
        accumulator = event_accumulator.EventAccumulator(self.folder)
        accumulator.Reload()
        return {
            tag: [(event.step, event.value) for event in accumulator.Scalars(tag)]
            for tag in accumulator.Tags()["scalars"]
        }

    def test_the_curves_are_what_was_appended(self):
        npq("append", self.folder, 0, "loss", 2.5, "losses/output/pi", 0, "losses/hint/d", -1.25)
        npq("append", self.folder, 0, "val", 0.5)
        npq("append", self.folder, 30000, "loss", 0.125)
        self.assertEqual(
            self.curves(),
            {
                "loss": [(0, 2.5), (30000, 0.125)],
                "losses/output/pi": [(0, 0.0)],
                "losses/hint/d": [(0, -1.25)],
                "val": [(0, 0.5)],
            },
        )

    def test_every_event_has_the_time_of_writing_and_the_first_the_version(self):
        before = time.time()
        npq("append", self.folder, 7, "loss", 1)
        events = list(event_file_loader.LegacyEventFileLoader(str(self.file())).Load())
        self.assertEqual([event.WhichOneof("what") for event in events], ["file_version", "summary"])
        self.assertEqual(events[0].file_version, "brain.Event:2")
        for event in events:
            self.assertLessEqual(before, event.wall_time)
            self.assertLessEqual(event.wall_time, time.time())

    def test_a_torn_last_record_is_ignored_and_cut_by_the_next_writer(self):
        npq("append", self.folder, 1, "loss", 1)
        whole = self.file().read_bytes()
        npq("append", self.folder, 2, "loss", 2)
        torn = self.file().read_bytes()
        for size in range(len(whole), len(torn)):
            self.file().write_bytes(torn[:size])
            self.assertEqual(self.curves(), {"loss": [(1, 1.0)]}, size)
        npq("append", self.folder, 3, "loss", 3)
        self.assertEqual(self.curves(), {"loss": [(1, 1.0), (3, 3.0)]})

    def test_a_reader_follows_a_file_that_grows_and_a_run_that_resumes(self):
        npq("append", self.folder, 10, "loss", 1)
        loader = event_file_loader.LegacyEventFileLoader(str(self.file()))

        def new_steps():
            return [event.step for event in loader.Load() if event.HasField("summary")]

        self.assertEqual(new_steps(), [10])
        self.assertEqual(new_steps(), [])
        npq("append", self.folder, 20, "loss", 2)
        npq("append", self.folder, 30, "loss", 3)
        self.assertEqual(new_steps(), [20, 30])
        npq("cut", self.folder, 10)
        for step in (20, 30, 40):
            npq("append", self.folder, step, "loss", 4)
        self.assertEqual(new_steps(), [40])
        self.assertEqual(self.curves(), {"loss": [(10, 1.0), (20, 4.0), (30, 4.0), (40, 4.0)]})

    def test_we_read_what_tensorboard_writes(self):
        writer = event_file_writer.EventFileWriter(self.folder)
        for step, value in ((0, 0.5), (-1, 2.0), (2**62, 1.0)):
            scalar = summary_pb2.Summary.Value(tag="größe", simple_value=value)
            picture = summary_pb2.Summary.Value(tag="b", image=summary_pb2.Summary.Image(height=2))
            summary = summary_pb2.Summary(value=[scalar, picture])
            writer.add_event(event_pb2.Event(wall_time=1.0, step=step, summary=summary))
        writer.close()
        self.assertEqual(npq("print", self.file()), f"0 größe 0.5\n-1 größe 2\n{2**62} größe 1\n")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
