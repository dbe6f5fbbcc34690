using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.Format;

/// <summary>
/// What the table of the format says of a type of fixed size, that not all bytes are a value, is what reading does: skipping and documents
/// go by the table alone.
/// </summary>
public sealed class CheckedTypesTests
{
    private const int Patterns = 500;

    public static TheoryData<Type, bool> Types
    {
        get
        {
            var cases = new TheoryData<Type, bool>();
            foreach (Type type in BuiltIns.Types.Where(type => BuiltIns.SizesOf(type).Format > 0))
            {
                cases.Add(type, true);
                cases.Add(type, false);
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Types))]
    public void Bytes_are_refused_of_the_types_that_are_checked_and_of_no_other(Type type, bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        int size = BuiltIns.SizesOf(type).Format;
        var random = new Random(size);
        foreach (object good in new[] { Activator.CreateInstance(type)!, Array.CreateInstance(type, 1) })
        {
            byte[] payload = serializer.Serialize(good);
            int refused = 0;
            for (int i = 0; i < Patterns; i++)
            {
                random.NextBytes(payload.AsSpan(^size..));
                WireFormatException? failure = Failure(() => serializer.Deserialize<object>(payload));
                Assert.Equal(failure?.Error, Failure(() => PayloadDocument.Parse(payload))?.Error);
                refused += failure is null ? 0 : 1;
            }

            // Those of native integers are too large where such an integer has 32 bits.
            bool fits = nint.Size == sizeof(long) && (type == typeof(nint) || type == typeof(nuint));
            Assert.Equal(BuiltIns.IsChecked(type) && !fits, refused > 0);
        }
    }

    private static WireFormatException? Failure(Func<object?> read)
    {
        try
        {
            read();
            return null;
        }
        catch (WireFormatException e)
        {
            return e;
        }
    }
}
