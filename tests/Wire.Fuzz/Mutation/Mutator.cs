namespace Wire.Fuzz.Mutation;

/// <summary>
/// Makes inputs from others: by their structure, where a layout has found it, and without it. Lengths around what changes are made
/// right, so that what is behind is read too; that they are wrong is what <see cref="Havoc"/> sees to.
/// </summary>
internal sealed partial class Mutator(Random random, Pool pool)
{
    /// <summary>Longer inputs are not made: they would only be slower.</summary>
    public const int MaxBytes = 1 << 15;

    private const int MaxChanges = 4;

    private static readonly byte[] Tags =
    [
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x10, 0x12, 0x15, 0x17, 0x1F, 0x20, 0x21, 0x22, 0x24, 0x25, 0x2A, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F,
        0x40, 0x41, 0x44, 0x46, 0x80, 0x81, 0x82, 0x90, 0xFF,
    ];

    private static readonly uint[] Numbers =
    [
        0,
        1,
        2,
        3,
        7,
        8,
        31,
        32,
        33,
        127,
        128,
        129,
        255,
        1000,
        1024,
        1025,
        16383,
        16384,
        65535,
        65536,
        1 << 24,
        int.MaxValue - 1,
        int.MaxValue,
        0x80000000,
        uint.MaxValue,
    ];

    /// <summary>Makes an input from one, and perhaps from pieces of others.</summary>
    /// <param name="input">The input.</param>
    /// <param name="other">Another one of the same format.</param>
    /// <param name="layoutOf">Finds the parts of an input; null where the format has none.</param>
    public byte[] Next(byte[] input, byte[] other, Func<byte[], Layout>? layoutOf)
    {
        if (random.Next(64) == 0)
        {
            return Havoc.Noise(random);
        }

        byte[] bytes = input;
        for (int i = random.Next(1, MaxChanges); i > 0; i--)
        {
            byte[] next = layoutOf is null || random.Next(4) == 0
                ? Havoc.Change(bytes, other, random)
                : layoutOf(Change(layoutOf(bytes))).WithChecks();
            bytes = next.Length <= MaxBytes ? next : bytes;
        }

        return bytes;
    }

    private byte[] Change(Layout layout) => random.Next(20) switch
    {
        0 => At(layout, PartKind.Tag, _ => [Tags[random.Next(Tags.Length)]]),
        1 or 2 => At(layout, PartKind.Count, part => Number(layout, part)),
        3 => At(layout, PartKind.Identifier, part => Number(layout, part)),
        4 => At(layout, PartKind.Reference, part => Number(layout, part)),
        5 => At(layout, PartKind.Fixed, part => Fixed(layout, part)),
        6 => At(layout, PartKind.Text, _ => pool.Text(random)),
        7 or 8 => At(layout, PartKind.Tagged, _ => pool.Pick(PartKind.Tagged, random)),
        9 => At(layout, PartKind.Untagged, _ => pool.Pick(PartKind.Untagged, random)),
        10 => Element(layout),
        11 => Deeper(layout),
        12 => Refer(layout),
        13 => Manifests(layout),
        14 => At(layout, PartKind.TypeName, _ => pool.TypeName(random)),
        15 => At(layout, PartKind.Shape, part => Shape(layout, part)),
        16 => At(layout, PartKind.MemberName, part => MemberName(layout, part)),
        17 => At(layout, PartKind.Comparer, _ => random.Next(2) == 0 ? [(byte)random.Next(0x16)] : pool.Pick(PartKind.Comparer, random)),
        18 => At(
            layout,
            random.Next(4) == 0 ? PartKind.Header : PartKind.Flags,
            part => [(byte)(layout.Input[part.Start] ^ (1 << random.Next(4)))]),
        _ => Messages(layout),
    };

    private byte[] At(Layout layout, PartKind kind, Func<Part, byte[]> with) =>
        Pick(layout, kind) is { } part ? layout.Replace(part, with(part)) : layout.Input;

    private Part? Pick(Layout layout, PartKind kind) => layout.Of(kind) is { Count: > 0 } parts ? parts[random.Next(parts.Count)] : null;

    private byte[] Number(Layout layout, Part part)
    {
        uint value = 0;
        int shift = 0;
        foreach (byte b in layout.Bytes(part))
        {
            value |= (uint)(b & 0x7F) << shift;
            shift += 7;
        }

        return random.Next(8) switch
        {
            0 => Layout.Varint(Numbers[random.Next(Numbers.Length)]),
            1 => [.. layout.Bytes(part)[..^1], (byte)(layout.Input[part.End - 1] | 0x80), 0],
            2 => Layout.Varint(value * 2),
            _ => Layout.Varint(value + (uint)random.Next(-3, 4)),
        };
    }

    private byte[] Fixed(Layout layout, Part part)
    {
        byte[] bytes = layout.Bytes(part).ToArray();
        switch (random.Next(5))
        {
            case 0:
                Array.Clear(bytes);
                break;
            case 1:
                Array.Fill(bytes, (byte)0xFF);
                break;
            case 2:
                Array.Fill(bytes, (byte)0xFF);
                bytes[^1] = 0x7F;
                break;
            case 3:
                Array.Clear(bytes);
                bytes[^1] = 0x80;
                break;
            default:
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
                break;
        }

        return bytes;
    }

    // An element once more, and a count in front of it that says so; which count is that of the element is a guess.
    private byte[] Element(Layout layout)
    {
        if (Pick(layout, PartKind.Untagged) is not { } element)
        {
            return layout.Input;
        }

        byte[] twice = layout.Replace(element.End, element.End, layout.Bytes(element));
        Part count = layout.Of(PartKind.Count).LastOrDefault(part => part.End <= element.Start);
        return count.Length != 1 || twice[count.Start] > 0x7E
            ? twice
            : [.. twice[..count.Start], (byte)(twice[count.Start] + 1), .. twice[count.End..]];
    }

    // A value inside of arrays, few or, because that is slow, rarely very many.
    private byte[] Deeper(Layout layout)
    {
        byte[] level =
            random.Next(3) switch { 0 => [0x05, 0x2F, 0x01], 1 => [0x05, 0x2F, 0x02, 0x00], _ => [0x05, 0x2F, 0x01, 0x05, 0x2F, 0x01] };
        int levels = random.Next(50) == 0 ? random.Next(1, 1500) : random.Next(1, 4);
        return At(layout, PartKind.Tagged, part => [.. Enumerable.Repeat(level, levels).SelectMany(bytes => bytes), .. layout.Bytes(part)]);
    }

    // A value becomes a reference to an earlier object.
    private byte[] Refer(Layout layout) =>
        At(layout, PartKind.Tagged, _ => [0x01, .. Layout.Varint((uint)random.Next(layout.Of(PartKind.Tagged).Count + 1))]);

    private byte[] Messages(Layout layout)
    {
        if (Pick(layout, PartKind.Message) is not { } message)
        {
            return layout.Input;
        }

        int field = message.Start - sizeof(uint);
        ReadOnlySpan<byte> input = layout.Input;
        byte[] whole = input[field..message.End].ToArray();
        return random.Next(4) switch
        {
            0 => [.. input[..field], .. input[message.End..]],
            1 => [.. input[..field], .. whole, .. input[field..]],
            2 => [.. input[..field], .. input[message.End..], .. whole],
            _ => layout.Replace(message, pool.Pick(PartKind.Message, random)),
        };
    }
}
