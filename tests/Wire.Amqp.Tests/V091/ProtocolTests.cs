using System.Buffers;
using System.Reflection;
using Wire.Amqp.Tests.V091.Methods;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.V091;

/// <summary>Compares the methods and properties with what the definition of the protocol lists.</summary>
public sealed class ProtocolTests
{
    private static readonly string[] Lines = [.. File.ReadLines(Path.Combine(
        Repository.Root,
        "tests",
        "Wire.Amqp.Tests",
        "V091",
        "protocol.txt")).Select(line => line.Trim()).Where(line => line.Length != 0 && line[0] != '#')];

    [Fact]
    public void Every_method_has_the_number_and_the_arguments_of_the_protocol_and_none_is_missing()
    {
        string[] expected =
            [.. Lines.Where(line => !line.StartsWith("basic-properties", StringComparison.Ordinal)).Order(StringComparer.Ordinal)];
        string[] actual = [.. MethodTester.All
            .Select(method => $"{ProtocolName(method.Name)} {(int)method.Id >> 16} {(ushort)method.Id}: {method.List()}".Trim())
            .Order(StringComparer.Ordinal)];
        Assert.Equal(expected, actual);
    }

    [Fact]
    public void Every_number_of_a_method_is_that_of_a_method_with_the_same_name()
    {
        Assert.Equal(MethodTester.All.Select(method => method.Id).Order(), Enum.GetValues<MethodId>().Order());
        Assert.All(MethodTester.All, method => Assert.Equal(method.Name, method.Id.ToString()));
    }

    [Fact]
    public void Every_property_has_the_flag_and_the_domain_of_the_protocol_and_none_is_missing()
    {
        string line = Lines.Single(line => line.StartsWith("basic-properties 60: ", StringComparison.Ordinal));
        string[][] properties = [.. line[(line.IndexOf(':') + 2)..].Split(", ").Select(property => property.Split(' '))];
        FieldInfo[] fields = typeof(BasicProperties).GetFields();
        Assert.Equal(properties.Select(property => property[1]).Order(), fields.Select(field => ListArguments.Kebab(field.Name)).Order());

        object all = default(BasicProperties);
        int allFlags = 0;
        List<byte> allValues = [];
        foreach ((int index, string[] property) in properties.Index())
        {
            (object value, byte[] encoded) = Sample(property[0], (byte)(index + 1));
            object one = default(BasicProperties);
            FieldInfo field = fields.Single(field => ListArguments.Kebab(field.Name) == property[1]);
            field.SetValue(one, value);
            field.SetValue(all, value);
            Assert.Equal(Flags(0x8000 >> index, encoded), Write((BasicProperties)one));
            allFlags |= 0x8000 >> index;
            allValues.AddRange(encoded);
        }

        Assert.Equal(Flags(allFlags, [.. allValues]), Write((BasicProperties)all));
    }

    private static (object Value, byte[] Encoded) Sample(string domain, byte content) => domain switch
    {
        "shortstr" => ((AmqpString)((char)content).ToString(), [1, content]),
        "octet" => (content, [content]),
        "timestamp" => (new Timestamp(content), [0, 0, 0, 0, 0, 0, 0, content]),
        "table" => (new FieldTable(new byte[] { 0, (byte)FieldType.Byte, content }), [0, 0, 0, 3, 0, (byte)FieldType.Byte, content]),
        _ => throw new NotSupportedException(domain),
    };

    private static byte[] Flags(int flags, byte[] values) => [(byte)(flags >> 8), (byte)flags, .. values];

    private static byte[] Write(BasicProperties properties)
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.WriteContentHeader(output, 1, 0, properties);
        return output.WrittenSpan[(7 + 12)..^1].ToArray();
    }

    // basic.recover-async of BasicRecoverAsync.
    private static string ProtocolName(string name)
    {
        string kebab = ListArguments.Kebab(name);
        int classEnd = kebab.IndexOf('-');
        return $"{kebab[..classEnd]}.{kebab[(classEnd + 1)..]}";
    }
}
