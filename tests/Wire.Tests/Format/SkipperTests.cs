using Xunit;

namespace Wire.Tests.Format;

public class SkipperTests
{
    [Fact]
    public void A_type_in_a_member_that_is_gone_is_not_looked_for()
    {
        var serializer = new Serializer();
        byte[] payload = serializer.Serialize(new Before { Gone = typeof(Unmentioned), GoneToo = typeof(Unmentioned), Kept = 7 });

        After read = serializer.Deserialize<After>(payload)!;

        Assert.Equal(7, read.Kept);
    }

    private sealed class Unmentioned;

    [WireName("Box")]
    private sealed class Before
    {
        public object? Gone { get; set; }

        public Type? GoneToo { get; set; }

        public int Kept { get; set; }
    }

    [WireName("Box")]
    private sealed class After
    {
        public int Kept { get; set; }
    }
}
