using System.Globalization;

namespace Shop;

/// <summary>
/// An order as BinaryFormatter wrote it, record by record of [MS-NRBF], since .NET 10 has no BinaryFormatter to write one.
/// </summary>
internal static class OldPayload
{
    private const int Root = 1;
    private const int Library = 2;
    private const int Articles = 4;

    public static byte[] Create(int number, string customer, string[] articles)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);

        // SerializationHeaderRecord (2.6.1): the root's number, a header that is not used, version 1.0.
        writer.Write((byte)0);
        writer.Write(Root);
        writer.Write(-1);
        writer.Write(1);
        writer.Write(0);

        // BinaryLibrary (2.6.2).
        writer.Write((byte)12);
        writer.Write(Library);
        writer.Write(typeof(Order).Assembly.FullName!);

        // ClassWithMembersAndTypes (2.3.2.1): the names, a type for each, Int32 for the primitive one, the library.
        writer.Write((byte)5);
        writer.Write(Root);
        writer.Write(typeof(Order).FullName!);
        writer.Write(3);
        writer.Write(Field(nameof(Order.Number)));
        writer.Write(Field(nameof(Order.Customer)));
        writer.Write(Field(nameof(Order.Articles)));
        writer.Write([0, 1, 6]); // primitive, string, array of strings
        writer.Write((byte)8);
        writer.Write(Library);

        // The values: a number, a BinaryObjectString (2.5.7), a MemberReference (2.5.3) to the array.
        writer.Write(number);
        WriteString(writer, 3, customer);
        writer.Write((byte)9);
        writer.Write(Articles);

        // ArraySingleString (2.4.3.4), and MessageEnd (2.6.3).
        writer.Write((byte)17);
        writer.Write(Articles);
        writer.Write(articles.Length);
        for (int i = 0; i < articles.Length; i++)
        {
            WriteString(writer, 5 + i, articles[i]);
        }

        writer.Write((byte)11);
        return stream.ToArray();
    }

    // BinaryFormatter stored fields. The compiler names the field of a property like this.
    private static string Field(string property) => $"<{property}>k__BackingField";

    private static void WriteString(BinaryWriter writer, int id, string text)
    {
        writer.Write((byte)6);
        writer.Write(id);
        writer.Write(text);
    }

    /// <summary>Gets the first bytes, to look at.</summary>
    public static string Head(byte[] bytes) =>
        string.Join(' ', bytes.Take(8).Select(each => each.ToString("x2", CultureInfo.InvariantCulture)));
}
