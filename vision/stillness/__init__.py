"""When a table may be read: nothing has moved for a stated time, and no hand is over it.

`Stillness` judges frame after frame by motion, by what was not there before, and by two networks
that see arms and palms; none of them alone can call a frame quiet.
"""

from vision.stillness.settings import Settings
from vision.stillness.stillness import Quiet, Stillness, Why

__all__ = ["Quiet", "Settings", "Stillness", "Why"]
