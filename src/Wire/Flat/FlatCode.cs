using System.Runtime.CompilerServices;

namespace Wire.Flat;

/// <summary>
/// Writes the members of a flat object to memory. It touches nothing else, and gives up where more is needed; the stored bytes are then
/// meaningless.
/// </summary>
/// <param name="destination">The destination.</param>
/// <param name="room">The number of bytes that may be written there.</param>
/// <param name="value">The object, of exactly the type.</param>
/// <returns>
/// The number of bytes written; negative when something in it is not flat, or there is too little room.
/// </returns>
internal delegate int FlatWriter(ref byte destination, int room, object value);

/// <summary>Reads a flat object from memory, and gives up where more is needed.</summary>
/// <param name="source">The beginning of its members.</param>
/// <param name="length">How many bytes there are.</param>
/// <returns>The object; null when the bytes are not exactly one, or something in it is not flat.</returns>
/// <exception cref="WireFormatException">A value is not valid. The exception has no position.</exception>
internal delegate object? FlatReader(ref byte source, int length);

/// <summary>Writes the members of an object or value type inside a flat object.</summary>
/// <param name="destination">The destination.</param>
/// <param name="room">The number of bytes that may be written there.</param>
/// <param name="location">The variable: a value type itself, or a reference to an object of exactly the type.</param>
/// <param name="types">The types that the message has defined.</param>
/// <returns>The number of bytes written; negative when it gives up.</returns>
internal delegate int FlatPartWriter(ref byte destination, int room, ref byte location, ref FlatTypes types);

/// <summary>Reads the members of an object or value type inside a flat object.</summary>
/// <param name="source">The beginning of its members.</param>
/// <param name="available">How many bytes there are from there on.</param>
/// <param name="location">The variable to fill: a zeroed value type, or a reference.</param>
/// <param name="types">The types that the message has defined.</param>
/// <returns>The number of bytes read; negative when it gives up.</returns>
/// <exception cref="WireFormatException">A value is not valid. The exception has no position.</exception>
internal delegate int FlatPartReader(ref byte source, int available, ref byte location, ref FlatTypes types);

/// <summary>
/// The code for flat objects of one class: trees of a few objects whose types the declared types determine. Such an object is small, so
/// that one look at the limits beforehand replaces every count; it is written to and read from one piece of memory, and what turns out
/// to be larger or of another type is left to the sessions.
/// </summary>
internal sealed class FlatCode
{
    private readonly FlatBounds _bounds;
    private readonly Lazy<FlatWriter>? _write;
    private readonly Lazy<FlatReader>? _read;
    private readonly Lazy<FlatPartWriter>? _writePart;
    private readonly Lazy<FlatPartReader>? _readPart;

    /// <summary>An object that holds no others.</summary>
    public FlatCode(FlatBounds bounds, Lazy<FlatWriter> write, Lazy<FlatReader> read)
    {
        _bounds = bounds;
        _write = write;
        _read = read;
    }

    /// <summary>An object that holds others, whose types may be defined behind its own.</summary>
    public FlatCode(FlatBounds bounds, Lazy<FlatPartWriter> write, Lazy<FlatPartReader> read)
    {
        _bounds = bounds with { Bytes = FlatBounds.MaxBytes };
        _writePart = write;
        _readPart = read;
    }

    /// <summary>Says whether no such object in a message exceeds a limit.</summary>
    /// <param name="limits">The limits.</param>
    /// <param name="prefix">The number of bytes in front of the members, header and manifest.</param>
    public bool Fits(Limits limits, int prefix) => _bounds.Fit(limits, prefix);

    /// <summary>Makes the code for a root.</summary>
    /// <param name="types">How many types the message has defined before its members.</param>
    public FlatWriter Writer(int types) => _write?.Value ?? new Parts(_writePart!.Value, null, types).Write;

    /// <summary>Gets the code for a root in a session, where the types of its parts are known; null when it holds no objects.</summary>
    public FlatPartWriter? PartWriter => _writePart?.Value;

    /// <inheritdoc cref="PartWriter"/>
    public FlatPartReader? PartReader => _readPart?.Value;

    /// <inheritdoc cref="Writer"/>
    public FlatReader Reader(int types) => _read?.Value ?? new Parts(null, _readPart!.Value, types).Read;

    private sealed class Parts(FlatPartWriter? write, FlatPartReader? read, int count)
    {
        public int Write(ref byte destination, int room, object value)
        {
            var types = new FlatTypes(count);
            return write!(ref destination, Math.Min(room, FlatBounds.MaxBytes), ref Unsafe.As<object, byte>(ref value), ref types);
        }

        public object? Read(ref byte source, int length)
        {
            if (length > FlatBounds.MaxBytes)
            {
                return null;
            }

            var types = new FlatTypes(count);
            object? value = null;
            int size = read!(ref source, length, ref Unsafe.As<object?, byte>(ref value), ref types);
            return size == length ? value : null;
        }
    }
}
