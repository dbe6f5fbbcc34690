namespace Wire;

/// <summary>The kind of a node of a <see cref="PayloadDocument"/>. The number of each is fixed.</summary>
public enum PayloadKind
{
    /// <summary>Null.</summary>
    Null = 0,

    /// <summary>A number, a text, a date or another value of a built-in type, or of an enum.</summary>
    Scalar = 1,

    /// <summary>An object with members.</summary>
    Members = 2,

    /// <summary>A case of a union, with its fields as members.</summary>
    Union = 3,

    /// <summary>An array of one dimension, a list, or another collection in an order.</summary>
    Sequence = 4,

    /// <summary>A set.</summary>
    Set = 5,

    /// <summary>A dictionary, as pairs of key and value.</summary>
    Map = 6,

    /// <summary>An array of several dimensions, or one that does not begin at index 0.</summary>
    Array = 7,

    /// <summary>An object that the payload has elsewhere, see <see cref="PayloadNode.Target"/>.</summary>
    Reference = 8,

    /// <summary>Bytes that only the type's own serializer can read.</summary>
    Opaque = 9,
}
