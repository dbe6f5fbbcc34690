using System.Collections;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>
/// Variables to which the runtime assigns what C# does not: arrays of numbers of the other sign, and of enums, as elements and arguments.
/// What is read has the numbers that the variable says, and their values, or is refused.
/// </summary>
public sealed class ArrayVarianceTests
{
    public static TheoryData<Type, bool, bool> Variables
    {
        get
        {
            var cases = new TheoryData<Type, bool, bool>();
            foreach (Type variable in new[]
            {
                typeof(sbyte[]), typeof(sbyte[][]), typeof(sbyte[][][]), typeof(Signed[]), typeof(Signed[][]),
                typeof(IReadOnlyList<sbyte>), typeof(IReadOnlyList<sbyte[]>), typeof(IEnumerable<sbyte[]>), typeof(IList<sbyte[]>),
                typeof(IEnumerable<IEnumerable<sbyte>>), typeof(IReadOnlyList<IReadOnlyList<sbyte>>), typeof(IEnumerable<Signed[]>),
                typeof(IEnumerable<IReadOnlyCollection<sbyte[]>>), typeof(IEnumerable<IEnumerable<IEnumerable<sbyte>>>),
            })
            {
                foreach (bool dynamicCode in new[] { true, false })
                {
                    cases.Add(variable, dynamicCode, true);
                    cases.Add(variable, dynamicCode, false);
                }
            }

            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Variables))]
    public void What_is_read_has_the_numbers_of_the_variable(Type variable, bool dynamicCode, bool isSmall)
    {
        byte number = isSmall ? (byte)7 : (byte)225;
        object[] written =
        [
            new[] { number }, new[] { new[] { number } }, new[] { new[] { new[] { number } } }, new List<byte> { number },
            new List<byte[]> { new[] { number } }, new HashSet<byte[]> { new[] { number } }, new Queue<byte[][]>([[[number]]]),
            new List<IEnumerable<byte>> { new[] { number } }, new List<List<byte[]>> { new() { new[] { number } } },
            new List<object> { new[] { number } }, new[] { (Unsigned)number }, new[] { new[] { (Unsigned)number } },
        ];
        int read = 0;
        foreach (object value in written)
        {
            read += ReadsRightly(variable, value, dynamicCode) ? 1 : 0;
        }

        // Some of each kind convert where the number fits, and none does where it does not.
        bool isOfInterfaces = variable.ToString().Contains("IEnumerable`1[System.Collections.Generic.I", StringComparison.Ordinal);
        Assert.InRange(read, isSmall && !isOfInterfaces ? 1 : 0, isSmall ? written.Length : 0);
    }

    private static bool ReadsRightly(Type variable, object value, bool dynamicCode)
    {
        Func<object, bool, bool> reads = Reads<object>;
        return (bool)reads.Method.GetGenericMethodDefinition().MakeGenericMethod(variable).Invoke(null, [value, dynamicCode])!;
    }

    private static bool Reads<T>(object value, bool dynamicCode)
    {
        var options = new SerializerOptions { DynamicCode = dynamicCode, TypeFilter = WireTypeFilter.Unrestricted };
        var writer = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Holder<object>>("Shop.Holder") });
        var reader = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Holder<T>>("Shop.Holder") });
        bool asRoot = IsRead<T>(() => reader.Deserialize<T>(writer.Serialize(value)), value);
        byte[] holder = writer.Serialize(new Holder<object> { Value = value });
        bool asMember = IsRead<T>(() => reader.Deserialize<Holder<T>>(holder)!.Value, value);
        return asRoot || asMember;
    }

    private static bool IsRead<T>(Func<object?> read, object value)
    {
        object? copy;
        try
        {
            copy = read();
        }
        catch (WireFormatException e)
        {
            Assert.True(e.Error is WireFormatError.SchemaMismatch or WireFormatError.TypeMismatch, e.ToString());
            return false;
        }

        Type leaf = Leaf(typeof(T));
        Assert.All(Leaves(copy!), number => Assert.Equal(leaf, number.GetType()));
        Assert.Equal(Leaves(value).Select(Convert.ToInt32), Leaves(copy!).Select(Convert.ToInt32));
        return true;
    }

    private static Type Leaf(Type type) => type.IsArray ? Leaf(type.GetElementType()!)
        : type.IsConstructedGenericType ? Leaf(type.GetGenericArguments()[0])
        : type;

    private static IEnumerable<object> Leaves(object value) =>
        value is IEnumerable all ? all.Cast<object>().SelectMany(Leaves) : [value];

    private enum Unsigned : byte;

    private enum Signed : sbyte;

    private sealed class Holder<T>
    {
        public T? Value { get; set; }
    }
}
