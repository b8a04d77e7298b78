"""Files to pages: lines, boxes and images, by PyMuPDF, Docling, OCR or office readers."""
