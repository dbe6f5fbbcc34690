using Wire.Comparing;

namespace Wire.Migration.Tests;

/// <summary>
/// What BinaryFormatter wrote is read, written as Wire, and read again: each time the graph is the one that was recorded.
/// </summary>
public sealed class RecordedTests
{
    [Theory]
    [InlineData("Graph")]
    [InlineData("Generics")]
    [InlineData("Arrays")]
    [InlineData("Scalars")]
    [InlineData("Tuples")]
    [InlineData("Lists")]
    [InlineData("Sets")]
    [InlineData("DerivedCollections")]
    [InlineData("Cycles")]
    [InlineData("Named")]
    [InlineData("Text")]
    [InlineData("Number")]
    [InlineData("Enum")]
    public void A_graph_is_what_it_was(string name)
    {
        byte[] old = Recorded.Bytes(name);
        BinaryFormatterReader reader = Recorded.Reader();
        object expected = Recorded.Graph(name);

        GraphAssert.Same(expected, reader.Read(old), sharing: true);
        GraphAssert.Same(expected, reader.Read(new MemoryStream(old)), sharing: true);
        byte[] converted = reader.Convert(old);
        Assert.False(BinaryFormatterReader.IsBinaryFormatter(converted));
        GraphAssert.Same(expected, reader.Serializer.Deserialize<object>(converted), sharing: true);
    }
}
