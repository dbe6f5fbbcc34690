using System.Collections;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.Specialized;
using System.Data.SqlTypes;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Mail;
using System.Net.NetworkInformation;
using System.Numerics;
using System.Reflection;
using System.Runtime.Intrinsics;
using System.Security.Cryptography;
using System.Text;
using System.Xml.Linq;
using Wire.Tests.Golden;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// What a copy has in common with its original, for every built-in type and family: what cannot change is one object in both, and what can
/// change is two.
/// </summary>
public sealed class SharedValueTests
{
    /// <summary>Their objects are shared, and boxes of their values.</summary>
    private static readonly HashSet<Type> Immutable =
    [
        typeof(bool), typeof(sbyte), typeof(byte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
        typeof(Int128), typeof(UInt128), typeof(nint), typeof(nuint), typeof(Half), typeof(float), typeof(double), typeof(decimal),
        typeof(char), typeof(Rune), typeof(Guid), typeof(DateTime), typeof(DateTimeOffset), typeof(TimeSpan), typeof(DateOnly),
        typeof(TimeOnly), typeof(Complex), typeof(string), typeof(Uri), typeof(Version), typeof(BigInteger), typeof(Type),

        typeof(Nullable<>), typeof(Index), typeof(BitVector32), typeof(CompareInfo), typeof(RegionInfo),
        typeof(TimeZoneInfo.TransitionTime), typeof(HashAlgorithmName), typeof(ActivityTraceId), typeof(ActivitySpanId),
        typeof(ActivityContext), typeof(DnsEndPoint),
        typeof(PhysicalAddress), typeof(HttpMethod), typeof(MailAddress), typeof(XName), typeof(XNamespace), typeof(SqlBoolean),
        typeof(SqlByte), typeof(SqlInt16), typeof(SqlInt32), typeof(SqlInt64), typeof(SqlSingle), typeof(SqlDouble), typeof(SqlGuid),
        typeof(SqlMoney), typeof(SqlDecimal), typeof(SqlDateTime), typeof(Vector64<>), typeof(Vector128<>), typeof(Vector256<>),
        typeof(Vector512<>),

        typeof(ImmutableArray<>), typeof(ImmutableList<>), typeof(ImmutableQueue<>), typeof(ImmutableStack<>), typeof(ImmutableHashSet<>),
        typeof(ImmutableSortedSet<>), typeof(ImmutableDictionary<,>), typeof(ImmutableSortedDictionary<,>), typeof(FrozenDictionary<,>),
        typeof(FrozenSet<>),
    ];

    /// <summary>Of each there is one object that is written.</summary>
    private static readonly HashSet<Type> Single =
    [
        typeof(DBNull), typeof(Missing), typeof(EqualityComparer<>), typeof(Comparer<>), typeof(ReferenceEqualityComparer),
    ];

    /// <summary>Boxes of their values are copied, since these can be changed in place; immutable collections of them are shared.</summary>
    private static readonly HashSet<Type> ImmutableUnboxed =
    [
        typeof(KeyValuePair<,>), typeof(ValueTuple), typeof(ValueTuple<>), typeof(ValueTuple<,>), typeof(ValueTuple<,,>),
        typeof(ValueTuple<,,,>), typeof(ValueTuple<,,,,>), typeof(ValueTuple<,,,,,>), typeof(ValueTuple<,,,,,,>),
        typeof(ValueTuple<,,,,,,,>), typeof(Range), typeof(Vector2), typeof(Vector3), typeof(Vector4), typeof(Quaternion), typeof(Plane),
        typeof(Matrix3x2), typeof(Matrix4x4), typeof(System.Drawing.Point), typeof(System.Drawing.PointF), typeof(System.Drawing.Size),
        typeof(System.Drawing.SizeF), typeof(System.Drawing.Rectangle), typeof(System.Drawing.RectangleF),
    ];

    /// <summary>The samples that .NET has one object for, of types whose other objects are copied.</summary>
    private static readonly HashSet<string> WellKnown =
        ["EventArgs", "Encoding", "CultureInfo", "CultureInfo-invariant", "StringComparer", "CaseInsensitiveComparer"];

    /// <summary>Each generic type whose values are shared, over one whose objects can change.</summary>
    private static readonly (Type Variable, object Value)[] OverMutable =
    [
        (typeof(KeyValuePair<int, Leaf>?), KeyValuePair.Create(1, new Leaf())), Of(KeyValuePair.Create(1, new Leaf())),
        Of(ValueTuple.Create(new Leaf())),
        Of((1, new Leaf())), Of((1, 2, new Leaf())), Of((1, 2, 3, new Leaf())), Of((1, 2, 3, 4, new Leaf())),
        Of((1, 2, 3, 4, 5, new Leaf())), Of((1, 2, 3, 4, 5, 6, new Leaf())), Of((1, 2, 3, 4, 5, 6, 7, new Leaf())),
        Of(ImmutableArray.Create(new Leaf())), Of(ImmutableList.Create(new Leaf())), Of(ImmutableQueue.Create(new Leaf())),
        Of(ImmutableStack.Create(new Leaf())), Of(ImmutableHashSet.Create<Leaf>(ReferenceEqualityComparer.Instance, new Leaf())),
        Of(ImmutableSortedSet.Create((1, new[] { new Leaf() }))),
        Of(ImmutableDictionary.CreateRange([KeyValuePair.Create(1, new Leaf())])),
        Of(ImmutableSortedDictionary.CreateRange([KeyValuePair.Create(1, new Leaf())])),
        Of(new[] { KeyValuePair.Create(1, new Leaf()) }.ToFrozenDictionary()),
        Of(new[] { new Leaf() }.ToFrozenSet(ReferenceEqualityComparer.Instance)),
    ];

    /// <summary>Objects of their own beside those that .NET has, and whether they are shared.</summary>
    private static readonly (object Value, bool IsShared)[] Own =
    [
        (new HttpMethod("VERB"), true), (new CultureInfo("de-CH"), false),
        (StringComparer.Create(CultureInfo.GetCultureInfo("de-CH"), ignoreCase: false), false),
        (new CaseInsensitiveComparer(CultureInfo.GetCultureInfo("de-CH")), false),
    ];

    public static TheoryData<bool, bool> Modes => CloneTests.Modes;

    [Theory]
    [MemberData(nameof(Modes))]
    public void What_cannot_change_is_one_object_and_all_else_is_two(bool dynamicCode, bool references) =>
        Assert.All(GoldenSamples.All, sample =>
        {
            Type definition = BuiltIns.Definition(sample.Value is Type ? typeof(Type) : sample.Type);
            bool isImmutable = sample.Type.IsEnum || Immutable.Contains(definition);
            Check(
                sample.Type,
                sample.Value,
                Serializer(dynamicCode, references),
                isImmutable || Single.Contains(definition) || WellKnown.Contains(sample.Name),
                ImmutableUnboxed.Contains(definition)
                    || (isImmutable && (sample.Type.IsValueType || definition == typeof(string))));
        });

    [Theory]
    [MemberData(nameof(Modes))]
    public void What_holds_something_that_can_change_is_two_objects(bool dynamicCode, bool references) => Assert.All(
        OverMutable,
        sample => Check(sample.Variable, sample.Value, Serializer(dynamicCode, references), isShared: false, isSharedInside: false));

    [Theory]
    [MemberData(nameof(Modes))]
    public void An_object_is_shared_for_its_type_and_not_because_NET_has_it(bool dynamicCode, bool references) =>
        Assert.All(Own, own => Assert.Equal(own.IsShared, IsSame(own.Value, Serializer(dynamicCode, references))));

    [Fact]
    public void The_lists_are_of_built_in_types()
    {
        Type[] all = [.. BuiltIns.Types, .. BuiltIns.Families];
        Assert.Empty(new[] { Immutable, Single, ImmutableUnboxed }.SelectMany(list => list).Except(all));
        Assert.Equal(WellKnown.Count, GoldenSamples.All.Count(sample => WellKnown.Contains(sample.Name)));

        // Vectors hold numbers.
        Assert.Equal(
            Immutable.Concat(ImmutableUnboxed).Where(type => type.IsGenericTypeDefinition && type.Namespace != "System.Runtime.Intrinsics")
                .ToHashSet(),
            OverMutable.Select(sample => BuiltIns.Definition(sample.Variable)).ToHashSet());
    }

    private static (Type Variable, object Value) Of<T>(T value)
        where T : notnull => (typeof(T), value);

    private static void Check(Type type, object value, Serializer serializer, bool isShared, bool isSharedInside)
    {
        var trial = (Trial)Activator.CreateInstance(typeof(Trial<>).MakeGenericType(type))!;

        // The first value of a class takes another way than those that follow.
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal((isShared, isSharedInside), (IsSame(value, serializer), trial.IsSameInside(value, serializer)));
            Assert.Equal(isShared && !type.IsValueType, trial.IsSameDeclared(value, serializer));
        }
    }

    private static bool IsSame(object value, Serializer serializer)
    {
        bool isSame = ReferenceEquals(value, serializer.Clone(value));
        Assert.Equal(isSame, ReferenceEquals(value, serializer.Clone<object[]>([value])[0]));
        return isSame;
    }

    // A new one for each value: one that has had to go by way of bytes tries that first now and then.
    private static Serializer Serializer(bool dynamicCode, bool references) =>
        Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });

    /// <summary>Copies values of one type.</summary>
    private abstract class Trial
    {
        /// <summary>Returns whether an immutable collection of a value is one with its copy.</summary>
        public abstract bool IsSameInside(object value, Serializer serializer);

        /// <summary>Returns whether the object in a variable of the type is one with its copy.</summary>
        public abstract bool IsSameDeclared(object value, Serializer serializer);
    }

    private sealed class Trial<T> : Trial
    {
        public override bool IsSameInside(object value, Serializer serializer)
        {
            ImmutableList<T> list = [(T)value];
            return ReferenceEquals(list, serializer.Clone(list));
        }

        public override bool IsSameDeclared(object value, Serializer serializer)
        {
            if (typeof(T).IsValueType)
            {
                return false;
            }

            var holder = new Holder<T> { Declared = (T)value };
            T[] array = [holder.Declared];
            bool isSame = ReferenceEquals(value, serializer.Clone(holder).Declared);
            Assert.Equal(isSame, ReferenceEquals(value, serializer.Clone(array)[0]));
            return isSame;
        }
    }
}
