def picture(table):
    return b""
