namespace Wire.Tool.Inputs;

/// <summary>The form of a file: one payload, or frames.</summary>
internal enum InputForm
{
    /// <summary>Found out by trying.</summary>
    Unknown,

    /// <summary>One payload is the whole file.</summary>
    Single,

    /// <summary>Each payload has its length in front: four bytes, little-endian.</summary>
    Framed,
}

/// <summary>The way in which files are read.</summary>
/// <param name="Form">How the payloads follow each other.</param>
/// <param name="IsSession">Whether all payloads of a file are messages of one session.</param>
/// <param name="Limits">What a payload may cost.</param>
internal sealed record InputSettings(InputForm Form, bool IsSession, Limits Limits)
{
    /// <summary>
    /// Gets the limits for files that the user names: as many objects and types as the format has, where a server allows fewer. The memory
    /// of a document stays bounded.
    /// </summary>
    public static Limits LocalLimits { get; } = Limits.Default with
    {
        MaxObjects = int.MaxValue,
        MaxManifests = 1 << 16,
        MaxManifestBytes = 1 << 28,
        MaxFrameBytes = int.MaxValue,
    };
}

/// <summary>A payload of a file.</summary>
/// <param name="File">The name of the file, plain.</param>
/// <param name="Frame">The number of its frame, from 1; 0 where the file is one payload.</param>
/// <param name="Offset">The position of its first byte in the file.</param>
/// <param name="Bytes">The bytes, which the next one overwrites.</param>
internal sealed record InputPayload(string File, long Frame, long Offset, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>Gets the file and the frame, for errors and headings.</summary>
    public string Place => Frame == 0 ? File : FormattableString.Invariant($"{File}, frame {Frame} (payload at byte {Offset})");
}
