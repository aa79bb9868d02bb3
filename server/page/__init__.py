"""The local web page on which a person decides. It reads digs and records deeds through `review`.

Whatever it shows comes from the store or a base, never from a request, and only as text.
"""
