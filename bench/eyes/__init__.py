"""A learned reader of boards: ``python -m bench.eyes FOLDER`` makes its pictures and trains it.

The studio and the simulated table draw boards whose truth is known (:mod:`.photographed`,
:mod:`.simulated`), each is laid flat and labelled place by place (:mod:`.sheet`, :mod:`.labels`), a
small net learns to answer at every place of the flat picture (:mod:`.net`, :mod:`.train`), and the
result is one ONNX file that OpenCV runs (:mod:`.runtime`, :mod:`.reader`). Only what trains needs
PyTorch, the extra ``train``; only what renders needs Blender.
"""
