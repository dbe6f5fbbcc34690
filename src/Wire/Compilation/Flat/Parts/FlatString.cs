using System.Runtime.CompilerServices;

namespace Wire.Compilation.Flat.Parts;

/// <summary>A string or null.</summary>
internal sealed class FlatString : FlatPart
{
    private FlatString()
    {
    }

    /// <summary>Gets the only one.</summary>
    public static FlatString Instance { get; } = new();

    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        string? text = Unsafe.As<byte, string?>(ref variable);
        room -= FlatText.MaxHeader + output.RoomOf(text);
        return room < 0 ? room : FlatText.Write(ref start, text);
    }

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        if (room < 1)
        {
            return NotFlat;
        }

        int size = FlatText.TryRead(ref start, room - 1, out string? text, input.CountsText);
        Unsafe.As<byte, string?>(ref variable) = text;
        return size < 0 ? NotFlat : 1 + size;
    }
}
