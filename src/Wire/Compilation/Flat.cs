namespace Wire.Compilation;

/// <summary>
/// Writes the members of a flat object, which are values of fixed size and short strings, to memory. It touches nothing else, and gives up
/// where more is needed; the stored bytes are then meaningless.
/// </summary>
/// <param name="destination">The destination.</param>
/// <param name="room">The number of bytes that may be written there.</param>
/// <param name="value">The object, of any type.</param>
/// <returns>
/// The number of bytes written; negative when the object is of another type, a string is not short, or there is too little room.
/// </returns>
internal delegate int FlatWriter(ref byte destination, int room, object value);

/// <summary>Reads a flat object from memory, and gives up where more is needed.</summary>
/// <param name="source">The beginning of its members.</param>
/// <param name="length">How many bytes there are.</param>
/// <returns>The object; null when the bytes are not exactly one, or a string is not short.</returns>
/// <exception cref="WireFormatException">A value is not valid. The exception has no position.</exception>
internal delegate object? FlatReader(ref byte source, int length);
