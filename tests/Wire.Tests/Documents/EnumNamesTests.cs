namespace Wire.Tests.Documents;

/// <summary>The values of an enum are shown by name: their own, or those of their bits where the enum has flags.</summary>
public sealed class EnumNamesTests
{
    private static readonly Serializer Serializer = new();

    [Flags]
    public enum Marks
    {
        None,
        Gift = 1,
        Fast = 2,
        Insured = 4,
        Safe = Fast | Insured,
    }

    [Flags]
    public enum Sides : sbyte
    {
        Left = 1,
        Right = 2,
        Far = sbyte.MinValue,
    }

    public enum Stage
    {
        Unknown,
        Open,
        Paid,
        Shipped,
        Returned,
    }

    public enum Odd
    {
        One = 1,
        Twelve = 12,
    }

    [Theory]
    [InlineData(Marks.None, "None")]
    [InlineData(Marks.Gift, "Gift")]
    [InlineData(Marks.Gift | Marks.Insured, "Gift, Insured")]
    [InlineData(Marks.Safe, "Safe")]
    [InlineData(Marks.Gift | Marks.Safe, "Gift, Safe")]
    [InlineData((Marks)8, "")]
    [InlineData((Marks)9, "")]
    [InlineData(Sides.Left | Sides.Right, "Left, Right")]
    [InlineData(Sides.Right | Sides.Far, "Right, Far")]
    [InlineData((Sides)0, "")]
    [InlineData(Stage.Returned, "Returned")]
    [InlineData((Stage)5, "")]
    [InlineData((Stage)6, "")]
    [InlineData((Odd)13, "")]
    [InlineData(DayOfWeek.Friday, "")]
    public void Of_flags_each_bit_has_its_name(object value, string names)
    {
        byte[] payload = Serializer.Serialize(value);
        PayloadNode node = PayloadDocument.Parse(payload).Root;

        Assert.Equal(names, string.Join(", ", node.EnumNames));
        Assert.Equal(node.EnumNames.Count == 1, node.EnumName is not null);
        string number = Convert.ToInt64(value, null).ToString(System.Globalization.CultureInfo.InvariantCulture);
        Assert.EndsWith(
            names.Length == 0 ? $" {number}" : $" {names} ({number})",
            PayloadDump.Describe(payload).TrimEnd(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Other_values_have_no_names()
    {
        Assert.Empty(PayloadDocument.Parse(Serializer.Serialize(5)).Root.EnumNames);
        Assert.Throws<InvalidOperationException>(() => PayloadDocument.Parse(Serializer.Serialize(new[] { 5 })).Root.EnumNames);
    }
}
