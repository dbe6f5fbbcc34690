namespace Wire.Tests.Generated;

/// <summary>Members that an object has kept of another version are written where those of its type have generated code.</summary>
public sealed class KeptMembersTests
{
    [WireName("Wire.Tests.Generated.Kept")]
    public sealed record Order(int Id, string Note) : IUnknownMembers
    {
        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Wire.Tests.Generated.Kept")]
    public sealed record NewOrder(int Id, string Coupon, string Note, DayOfWeek Day);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Members_that_are_kept_come_back(bool isGenerated)
    {
        var serializer = new Serializer(
            new SerializerOptions { Types = isGenerated ? TestMessages.Default : WireTypes.None, DynamicCode = false });
        byte[] sent = serializer.Serialize(new NewOrder(7, "SPRING", "new", DayOfWeek.Friday));

        Order order = serializer.Deserialize<Order>(sent)!;
        NewOrder received = serializer.Deserialize<NewOrder>(serializer.Serialize(order with { Note = "seen" }))!;

        Assert.Equal(new NewOrder(7, "SPRING", "seen", DayOfWeek.Friday), received);
    }
}
