namespace Wire.Slots;

/// <summary>
/// Writes an object; compiled for one class. The counterpart of <see cref="ObjectWriter"/>: an object needs no variable.
/// </summary>
internal delegate void BodyWriter(ref WireWriter writer, object value);

/// <summary>Reads an object; compiled for one class and one writer's schema of it.</summary>
internal delegate object BodyReader(ref WireReader reader);
