"""Files to what readers find of them; one module an asset."""
