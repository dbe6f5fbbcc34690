namespace Wire.Slots;

/// <summary>
/// Implemented by what writes a value of one type for one of another, under that type's name: it is no variable of its own.
/// </summary>
internal interface INamedValue;
