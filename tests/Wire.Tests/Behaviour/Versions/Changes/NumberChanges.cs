namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>Members that get another type of number, or may be null.</summary>
internal static class NumberChanges
{
    private const WireFormatError Mismatch = WireFormatError.SchemaMismatch;
    private const string Else = "where it does not fit";

    public static IEnumerable<Change> All =>
    [
        Change.OfMember<int, long>("`int` to `long`").BothRead(-5, -5).OldRefuses(1L << 40, Else, Mismatch, "1099511627776", "Int32"),
        Change.OfMember<byte, int>("`byte` to `int`").BothRead(200, 200).OldRefuses(-1, Else, Mismatch, "-1", "Byte"),
        Change.OfMember<uint, long>("`uint` to `long`").BothRead(5, 5).OldRefuses(-5, Else, Mismatch, "-5", "UInt32"),
        Change.OfMember<int, uint>("`int` to `uint`")
            .BothRead(5, 5)
            .NewRefuses(-5, Else, Mismatch, "-5", "UInt32")
            .OldRefuses(uint.MaxValue, Else, Mismatch, "4294967295", "Int32"),
        Change.OfMember<int, short>("`int` to `short`").BothRead(-5, -5).NewRefuses(40_000, Else, Mismatch, "40000", "Int16"),
        Change.OfMember<int, Int128>("`int` to `Int128`")
            .BothRead(-5, -5).OldRefuses(Int128.MaxValue, Else, Mismatch, $"{Int128.MaxValue}", "Int32"),
        Change.OfMember<int, float>("`int` to `float`")
            .BothRead(5, 5)
            .NewRefuses(16_777_217, Else, Mismatch, "16777217", "Single")
            .OldRefuses(5.5f, Else, Mismatch, "5.5", "Int32"),
        Change.OfMember<int, double>("`int` to `double`").BothRead(5, 5).OldRefuses(double.NaN, Else, Mismatch, "NaN", "Int32"),
        Change.OfMember<long, double>("`long` to `double`")
            .BothRead(5, 5)
            .NewRefuses((1L << 53) + 1, Else, Mismatch, "9007199254740993", "Double")
            .OldRefuses(1e300, Else, Mismatch, "Int64"),
        Change.OfMember<float, double>("`float` to `double`").BothRead(1.5f, 1.5).OldRefuses(0.1, Else, Mismatch, "0.1", "Single"),
        Change.OfMember<int, decimal>("`int` to `decimal`").BothRead(5, 5).OldRefuses(5.5m, Else, Mismatch, "5.5", "Int32"),
        Change.OfMember<double, decimal>("`float` or `double` to `decimal`").BothRefuse(1.5, 1.5m, Mismatch, "Double", "Decimal"),
        Change.OfMember<int, int?>("`T` to `T?`").BothRead(5, 5).OldRefuses(null, "where it is null", Mismatch, "null"),
        Change.OfMember<int, long?>("`T` to `T?`, and a wider number")
            .BothRead(5, 5).OldRefuses(1L << 40, Else, Mismatch, "1099511627776").OldRefuses(null, "where it is null", Mismatch, "null"),
        Change.OfMember<int[], long[]>("numbers in an array or a list")
            .BothRead([1, 2], [1, 2]).OldRefuses([1L << 40], Else, Mismatch, "1099511627776", "Int32"),
        Change.OfMember<int, string>("number to `string`").BothRefuse(5, "5", Mismatch, "Value", "Int32", "String"),
        Change.OfMember<bool, int>("`bool` to a number").BothRefuse(true, 1, Mismatch, "Value", "Boolean", "Int32"),
        Change.OfMember<char, int>("`char` to a number").BothRefuse('5', 5, Mismatch, "Value", "Char", "Int32"),
    ];
}
