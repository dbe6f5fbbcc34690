using System.Buffers.Binary;
using Wire.Documents;
using Wire.Format;

namespace Wire.Diagnostics;

/// <summary>The lines of a manifest (docs/format.md, clauses 5 and 6).</summary>
internal static class DumpType
{
    private const int ShownMembers = 256;

    /// <summary>Gets the name of a type, as it stands in lines.</summary>
    public static string NameOf(PayloadType type) =>
        type.Name is { } name ? $"\"{DumpText.Plain(name)}\"" : type.KnownType is null ? "the declared type" : type.ToString();

    /// <summary>Shows a manifest.</summary>
    /// <param name="page">The page.</param>
    /// <param name="type">The type.</param>
    /// <param name="at">The position of the manifest.</param>
    public static void Show(DumpPage page, PayloadType type, int at)
    {
        ReadOnlySpan<byte> bytes = type.Definition.Bytes;
        int flags = type.Definition.HeaderLength;
        page.Line(at, bytes[..flags], $"name: {NameOf(type)}");
        bool hasSchema = type.Definition.Schema is not null;
        page.Line(
            at + flags, bytes.Slice(flags, 1), $"flags: {(hasSchema ? "schema" : "fingerprint")}{(type.IsSurrogate ? ", surrogate" : "")}");
        bytes = bytes[(flags + 1)..];
        at += flags + 1;
        if (type.Layout is { } layout)
        {
            Schema(page, at, bytes, layout);
        }
        else
        {
            page.Line(at, bytes, $"fingerprint {BinaryPrimitives.ReadUInt32LittleEndian(bytes):X8}");
        }
    }

    // Each member with its bytes if they are in canonical encoding, otherwise all bytes together.
    private static void Schema(DumpPage page, int at, ReadOnlySpan<byte> bytes, Shape shape)
    {
        byte[] encoded = shape.Encode();
        if (shape.Code != ShapeCode.Members || !bytes.SequenceEqual(encoded))
        {
            page.Line(at, bytes, $"schema: {DumpText.Plain(shape.ToString())}");
            return;
        }

        int member = encoded.Length - shape.Members.Sum(EncodedLength);
        page.Line(at, bytes[..member], $"schema: {shape.Members.Length} member(s)");
        page.Level++;
        foreach (ShapeMember shown in shape.Members.Take(ShownMembers))
        {
            int length = EncodedLength(shown);
            page.Line(at + member, bytes.Slice(member, length), $"{DumpText.Plain(shown.Name)}: {DumpText.Plain(shown.Shape.ToString())}");
            member += length;
        }

        if (shape.Members.Length > ShownMembers)
        {
            page.Line(at + member, [], $"... {shape.Members.Length - ShownMembers} more");
        }

        page.Level--;
    }

    // The members shape of one member, without the code and the count in front.
    private static int EncodedLength(ShapeMember member) => Shape.FromMembers([member]).Encode().Length - 2;
}
