// removed once the layer has its first file
