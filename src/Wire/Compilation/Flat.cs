namespace Wire.Compilation;

/// <summary>
/// Writes the members of a flat object, which are values of fixed size and short strings, to memory. It touches nothing else, and gives up
/// where more is needed: what it has stored then is nothing.
/// </summary>
/// <param name="destination">Where to write.</param>
/// <param name="room">How many bytes may be written there.</param>
/// <param name="value">The object, of any type.</param>
/// <returns>
/// How many bytes have been written; negative when the object is of another type, a string is not short, or there is too little room.
/// </returns>
internal delegate int FlatWriter(ref byte destination, int room, object value);

/// <summary>Reads a flat object from memory, and gives up where there is more to it.</summary>
/// <param name="source">Where its members begin.</param>
/// <param name="length">How many bytes there are.</param>
/// <returns>The object; null when the bytes are not exactly one, or a string is not short.</returns>
/// <exception cref="WireFormatException">A value is not valid. Where it stands is not said.</exception>
internal delegate object? FlatReader(ref byte source, int length);
