import multiprocessing
import unittest

import names


class Names(unittest.TestCase):
    def test_text_has_a_name(self):
        self.assertEqual(names.name("x"), "text")
        self.assertEqual(names.name(1), "int")

    def test_processes_share_a_queue(self):
        queue = multiprocessing.Queue()
        process = multiprocessing.Process(target=queue.put, args=("x",))
        process.start()
        self.assertEqual(queue.get(timeout=10), "x")
        process.join()


if __name__ == "__main__":
    unittest.main()
