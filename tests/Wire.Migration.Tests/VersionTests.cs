using System.Collections.Immutable;
using Wire.Comparing;
using Wire.Migration.Samples;

namespace Wire.Migration.Tests;

/// <summary>Types may have changed since BinaryFormatter wrote them, by the rules of Wire's own payloads.</summary>
public sealed class VersionTests
{
    private static readonly TypeAliases Renamed = TypeAliases.None
        .Redirect("Wire.Migration.Samples.Former.Article, Wire.Migration.Samples", typeof(Article))
        .Redirect("Wire.Migration.Samples.Former.Thing", typeof(Item))
        .Redirect("Wire.Migration.Samples.Former.Size", typeof(Extent))
        .Redirect("Wire.Migration.Samples.Former.Shelf", typeof(Shelf));

    [Fact]
    public void Collections_are_read_as_what_their_members_are_now()
    {
        Shelf expected = Shelf.Create();
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { TypeAliases = Renamed });

        Shelf shelf = reader.Read<Shelf>(Recorded.Bytes("Shelf"))!;

        GraphAssert.Same(expected, shelf, sharing: true);
        Assert.Contains("X", (IReadOnlySet<string>)shelf.Tags!);
        Assert.Contains("123", (IReadOnlySet<string>)shelf.Lengths!);
        Assert.Equal(1, shelf.Prices!["a"]);
        Assert.Equal("first", shelf.ByPart![shelf.First!]);
        GraphAssert.Same(expected, reader.Serializer.Deserialize<Shelf>(reader.Convert<Shelf>(Recorded.Bytes("Shelf")))!, sharing: true);
    }

    [Fact]
    public void Renamed_types_and_members_and_wider_numbers_are_read()
    {
        var differences = new List<SchemaDifference>();
        BinaryFormatterReader reader = Recorded.Reader(
            Recorded.Options with { TypeAliases = Renamed, SchemaDifference = differences.Add });

        Article article = reader.Read<Article>(Recorded.Bytes("Former"))!;
        reader.Read<Article>(Recorded.Bytes("Former"));

        Assert.Equal((5, 6, "pen", 7L), (article.ItemId, article.ArticleId, article.Name, article.Price));
        Assert.Equal(Extent.Large, article.Size);
        Assert.Equal([[Extent.Small], []], article.Sizes!);
        Assert.Equal([Extent.Large], Assert.IsType<List<Extent>>(article.Other));
        Assert.Equal(0, article.Added);
        SchemaDifference difference = Assert.Single(differences);
        Assert.Equal(typeof(Article), difference.Type);
        Assert.Equal("Wire.Migration.Samples.Former.Article", difference.WriterName);
        Assert.Equal(["Gone"], difference.UnknownMembers);
        Assert.Equal(["Added"], difference.MissingMembers);
    }

    [Fact]
    public void A_root_is_read_as_the_collection_that_is_asked_for()
    {
        List<object?> list = Recorded.Reader().Read<List<object?>>(Recorded.Bytes("Arrays"))!;

        GraphAssert.Same(((object?[])Recorded.Graph("Arrays")).ToList(), list, sharing: true);
    }

    [Theory]
    [InlineData(typeof(Distinct), WireFormatError.Reference, "ByPart", "whose keys refer back to it")]
    [InlineData(typeof(Apart), WireFormatError.TypeMismatch, "Again", "Part[] does not fit")]
    [InlineData(typeof(Keyed), WireFormatError.TypeMismatch, "Parts", "List`1[Wire.Migration.Samples.Part] does not fit")]
    [InlineData(typeof(Tight), WireFormatError.TypeMismatch, "Numbers[0]", "does not fit a variable of type System.Boolean")]
    [InlineData(typeof(Small), WireFormatError.TypeMismatch, "Big[0]", "300 is a value of type System.Int32 that System.Byte cannot hold")]
    [InlineData(typeof(Once), WireFormatError.InvalidValue, "", "an element appears twice")]
    public void A_collection_that_does_not_convert_is_refused(Type type, WireFormatError error, string path, string message)
    {
        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader(Recorded.Options with
        {
            TypeAliases = TypeAliases.None.Redirect("Wire.Migration.Samples.Former.Shelf", type),
        }).Read(Recorded.Bytes("Shelf")));

        Assert.Equal((error, path), (e.Error, e.MemberPath));
        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_constructor_sets_what_is_missing_where_that_is_allowed() => Assert.Equal(
        1,
        Recorded.Reader(Recorded.Options with { TypeAliases = Renamed, UseConstructors = true })
            .Read<Article>(Recorded.Bytes("Former"))!.Added);

    [Fact]
    public void Of_two_members_of_one_name_none_is_guessed()
    {
        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader(Recorded.Options with
        {
            TypeAliases = TypeAliases.None.Redirect("Wire.Migration.Samples.Former.Article", typeof(Several))
                .Redirect("Wire.Migration.Samples.Former.Size", typeof(Extent)),
        }).Read<Several>(Recorded.Bytes("Former")));

        Assert.Equal(WireFormatError.SchemaMismatch, e.Error);
        Assert.Contains("'Thing+_id'", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_number_that_does_not_fit_is_refused()
    {
        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader(Recorded.Options with
        {
            TypeAliases = TypeAliases.None.Redirect("Wire.Migration.Samples.Order", typeof(Narrow)),
        }).Read(Recorded.Bytes("Cycles")));

        Assert.Equal(WireFormatError.TypeMismatch, e.Error);
        Assert.Equal("[1].Number", e.MemberPath);
        Assert.Contains("A value of type System.Int32 does not fit a variable of type System.String.", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_required_member_may_not_be_missing()
    {
        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader(Recorded.Options with
        {
            TypeAliases = TypeAliases.None.Redirect("Wire.Migration.Samples.Former.Article", typeof(Demanding))
                .Redirect("Wire.Migration.Samples.Former.Size", typeof(Extent)),
            MissingMembers = MissingMembers.RequiredRefused,
        }).Read<Demanding>(Recorded.Bytes("Former")));

        Assert.Contains("no member 'Must'", e.Message, StringComparison.Ordinal);
        Assert.Contains("it is required", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Another_type_than_asked_for_is_refused()
    {
        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader().Read<Order>(Recorded.Bytes("Text")));

        Assert.Equal(WireFormatError.TypeMismatch, e.Error);
        Assert.Contains("Samples.Order, and the payload holds one of type System.String", e.Message, StringComparison.Ordinal);
    }

    public sealed class Narrow
    {
        public string? Number { get; set; }
    }

    public class One
    {
        private readonly int _id = -1;

        public int First => _id;
    }

    public class Other : One
    {
        private readonly int _id = -1;

        public int Second => _id;
    }

    public sealed class Several : Other
    {
        private readonly int _id = -1;

        public int Third => _id;
    }

    public sealed class Distinct
    {
        public ImmutableDictionary<Part, string>? ByPart { get; set; }
    }

    public sealed class Apart
    {
        public Part[]? Parts { get; set; }

        public List<Part>? Again { get; set; }
    }

    public sealed class Keyed
    {
        public Dictionary<string, Part>? Parts { get; set; }
    }

    public sealed class Tight
    {
        public bool[]? Numbers { get; set; }
    }

    public sealed class Small
    {
        public ImmutableArray<byte> Big { get; set; }
    }

    public sealed class Once
    {
        public HashSet<Part>? Parts { get; set; }
    }

    public sealed class Demanding
    {
        public required string Must { get; init; }
    }
}
