"""Names of types, by six."""
import six


def name(value):
    return "text" if isinstance(value, six.string_types) else type(value).__name__


def main():
    print(name("x"), name(1))
