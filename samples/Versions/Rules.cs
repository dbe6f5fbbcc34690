using System.Collections;
using Wire;

namespace Versions;

/// <summary>Each rule of docs/versioning.md: what is written with one declaration, and read with another.</summary>
internal static class Rules
{
    private static readonly TypeAliases NoNames = TypeAliases.None;

    /// <summary>Prints what came back by each rule, and says whether that is what the page says.</summary>
    public static bool Run()
    {
        bool asExpected = true;
        foreach ((string rule, string outcome, string expected)
            in Members().Concat(Numbers()).Concat(Collections()).Concat(Types()).Concat(Options()))
        {
            Console.WriteLine($"{(outcome == expected ? "" : "! ")}{rule,-52}  {outcome}");
            asExpected &= outcome == expected;
        }

        return asExpected;
    }

    private static IEnumerable<(string Rule, string Outcome, string Expected)> Members()
    {
        var one = new Before.One { X = 1 };
        yield return ("a member is added", Read<After.Added>(one), "Name=null, X=1, Y=0");
        yield return ("a member is removed", Read<Before.One>(new After.Added { X = 1 }), "X=1");
        yield return ("members are reordered", Read<After.Reordered>(new Before.Two { First = 1, Second = "2" }), "First=1, Second=2");
        yield return ("a member is renamed", Read<After.Renamed>(one), "Number=0");
        yield return ("a member is renamed, with [WireName]", Read<After.RenamedWithWireName>(one), "Number=1");
        yield return ("the same, for the older reader", Read<Before.One>(new After.RenamedWithWireName { Number = 1 }), "X=1");
        yield return ("an automatic property gets a field of its own", Read<After.OwnField>(one), "X=0");
        yield return ("the same, with [WireName]", Read<After.OwnFieldWithWireName>(one), "X=1");
        yield return ("the same, with the keyword field", Read<After.FieldKeyword>(one), "X=1");
        yield return ("a class becomes a record", Read<After.Record>(one), "X=1");
        yield return ("a member becomes one of a new base class",
            Read<After.OnBase>(new Before.Two { First = 1, Second = "2" }), "First=1, Second=2");
        yield return ("a member of the base class becomes the class's own",
            Read<Before.Two>(new After.OnBase { First = 1, Second = "2" }), "First=1, Second=2");
        yield return ("the base class is removed", Read<After.NoBase>(new After.OnBase { First = 1, Second = "2" }), "Second=2");
        yield return ("the base class gets a member of the same name", Read<After.Hiding>(one), "X=1, base X=0");
        yield return ("a member gets [IgnoreMember]", Read<After.Ignored>(one), "X=0");
    }

    private static IEnumerable<(string Rule, string Outcome, string Expected)> Numbers()
    {
        yield return ("int becomes long", Member<int, long>(5), "5");
        yield return ("int becomes double", Member<int, double>(5), "5");
        yield return ("int becomes decimal", Member<int, decimal>(5), "5");
        yield return ("uint becomes long", Member<uint, long>(5), "5");
        yield return ("float becomes double", Member<float, double>(1.5f), "1.5");
        yield return ("long becomes int", Member<long, int>(5), "5");
        yield return ("long becomes int, and the value does not fit", Member<long, int>(1L << 31), "error SchemaMismatch");
        yield return ("int becomes uint", Member<int, uint>(5), "5");
        yield return ("int becomes uint, and the value is negative", Member<int, uint>(-5), "error SchemaMismatch");
        yield return ("int becomes float", Member<int, float>(5), "5");
        yield return ("int becomes float, which rounds the value", Member<int, float>((1 << 24) + 1), "error SchemaMismatch");
        yield return ("double becomes int", Member<double, int>(5), "5");
        yield return ("double becomes int, and has a fraction", Member<double, int>(0.5), "error SchemaMismatch");
        yield return ("decimal becomes int", Member<decimal, int>(5.00m), "5");
        yield return ("double becomes decimal", Member<double, decimal>(1.5), "error SchemaMismatch");
        yield return ("int becomes int?", Member<int, int?>(5), "5");
        yield return ("int becomes long?", Member<int, long?>(5), "5");
        yield return ("int? becomes int", Member<int?, int>(5), "5");
        yield return ("int? becomes int, and is null", Member<int?, int>(null), "error SchemaMismatch");
        yield return ("an enum gets a member that the reader lacks", Member<After.Color, Before.Color>(After.Color.Blue), "4");
        yield return ("members of an enum get other numbers", Member<Before.Color, After.Color>(Before.Color.Red), "Green");
        yield return ("a member of an enum is renamed", Member<Before.Color, After.Colour>(Before.Color.Red), "Rouge");
        yield return ("a member of an enum is removed", Member<Before.Color, After.Fewer>(Before.Color.Green), "2");
        yield return ("an enum becomes int", Member<Before.Color, int>(Before.Color.Red), "1");
        yield return ("int becomes an enum", Member<int, Before.Color>(1), "Red");
        yield return ("the enum of int becomes one of long", Member<Before.Color, After.LongColor>(Before.Color.Red), "Red");
        yield return ("the enum of int becomes one of byte", Member<Before.Color, After.ByteColor>(Before.Color.Red), "Red");
        yield return ("the enum of int becomes one of byte, and the value does not fit",
            Member<Before.Color, After.ByteColor>((Before.Color)256), "error SchemaMismatch");
        yield return ("an enum becomes string", Member<Before.Color, string>(Before.Color.Red), "error SchemaMismatch");
        yield return ("string becomes int", Member<string, int>("5"), "error SchemaMismatch");
        yield return ("string becomes object", Member<string, object>("5"), "error SchemaMismatch");
        yield return ("DateTime becomes DateTimeOffset", Member<DateTime, DateTimeOffset>(default), "error SchemaMismatch");
    }

    private static IEnumerable<(string Rule, string Outcome, string Expected)> Collections()
    {
        yield return ("int[] becomes long[]", Member<int[], long[]>([1, 2]), "[1 2]");
        yield return ("List<int> becomes List<int?>", Member<List<int>, List<int?>>([1, 2]), "[1 2]");
        yield return ("List<T> becomes Queue<T>", Member<List<int>, Queue<int>>([1, 2]), "[1 2]");
        yield return ("Dictionary becomes SortedDictionary",
            Member<Dictionary<int, int>, SortedDictionary<int, int>>(new() { [1] = 2 }), "[[1, 2]]");
        yield return ("List<T> becomes T[]", Member<List<int>, int[]>([1, 2]), "error SchemaMismatch");
        yield return ("T[] becomes List<T>", Member<int[], List<int>>([1, 2]), "error TypeMismatch");
        yield return ("List<T> becomes object", Member<List<int>, object>([1, 2]), "error SchemaMismatch");
        yield return ("T[] becomes object", Member<int[], object>([1, 2]), "[1 2]");
        yield return ("object, a T[], becomes T[]", Member<object, int[]>(new[] { 1, 2 }), "[1 2]");
        yield return ("List<T> becomes HashSet<T>", Member<List<int>, HashSet<int>>([1, 2]), "error SchemaMismatch");
        yield return ("List<T> becomes IReadOnlyList<T>", Member<List<int>, IReadOnlyList<int>>([1, 2]), "error SchemaMismatch");
        yield return ("IReadOnlyList<T>, a List<T>, becomes List<T>",
            Member<IReadOnlyList<int>, List<int>>(new List<int> { 1, 2 }), "[1 2]");
        yield return ("IReadOnlyList<T>, a T[], becomes List<T>",
            Member<IReadOnlyList<int>, List<int>>(new int[] { 1, 2 }), "error TypeMismatch");
        yield return ("a tuple gets one more element", Member<(int, int), (int, int, int)>((1, 2)), "(1, 2, 0)");
        yield return ("a tuple gets one element less", Member<(int, int, int), (int, int)>((1, 2, 3)), "(1, 2)");
        yield return ("Tuple becomes a value tuple", Member<Tuple<int, int>, (int, int)>(new(1, 2)), "error SchemaMismatch");
        yield return ("KeyValuePair becomes a tuple", Member<KeyValuePair<int, int>, (int, int)>(new(1, 2)), "error SchemaMismatch");
    }

    private static IEnumerable<(string Rule, string Outcome, string Expected)> Types()
    {
        var open = new Before.Open { X = 1 };
        var closed = new Before.One { X = 1 };
        TypeAliases old = NoNames.Alias<Before.Open>("Shop.Thing");
        yield return ("a class is renamed",
            Member<object, object>(open, old, NoNames.Alias<After.Open>("Shop.Other")), "error TypeRefused");
        yield return ("the same, with [WireName] or an alias",
            Member<object, object>(open, old, NoNames.Alias<After.Open>("Shop.Thing")), "X=1");
        yield return ("the same, with a redirect",
            Member<object, object>(open, old, NoNames.Alias<After.Open>("Shop.Other").Redirect("Shop.Thing", typeof(After.Open))), "X=1");
        byte[] unnamed = new Serializer().Serialize(new Thing { X = 1 }); // "Versions.Thing, Versions" in the payload
        var redirected = new Serializer(new() { TypeAliases = NoNames.Redirect("Versions.Thing, Versions", typeof(NamedThing)) });
        yield return ("a type without [WireName] gets one, of its old name",
            Outcome(() => new Serializer().Deserialize<NamedThing>(unnamed)), "error TypeRefused");
        yield return ("the same, with a redirect", Outcome(() => redirected.Deserialize<NamedThing>(unnamed)), "X=1");
        yield return ("a sealed class, the type of a member, is renamed", Member<Before.One, After.Record>(closed), "X=1");
        yield return ("a struct, the type of a member, is renamed", Member<Before.Point, After.Place>(new() { X = 1 }), "X=1");
        yield return ("its members are all renamed too", Member<Before.Point, After.Pixel>(new() { X = 1 }), "error SchemaMismatch");
        yield return ("a class is unsealed, the type of a member", Member<Before.One, After.Open>(closed), "error Manifest");
        yield return ("a class is sealed, the type of a member",
            Member<Before.Open, Before.One>(open, old, NoNames.Alias<Before.One>("Shop.Thing")), "X=1");
        yield return ("a class becomes abstract",
            Member<Before.Open, After.Abstract>(open, old, NoNames.Alias<After.Abstract>("Shop.Thing")), "error TypeRefused");
        yield return ("a member's class becomes its base class", Member<Before.Derived, Before.Open>(new() { X = 1, Z = 2 }), "X=1, Z=2");
        yield return ("a member's class becomes object", Member<Before.Derived, object>(new() { X = 1, Z = 2 }), "X=1, Z=2");
        yield return ("a member's sealed class becomes object", Member<Before.One, object>(closed), "error Manifest");
        yield return ("a member's class becomes a derived one",
            Member<Before.Open, Before.Derived>(new Before.Derived { X = 1, Z = 2 }), "X=1, Z=2");
        yield return ("the same, and the object is of another class", Member<Before.Open, Before.Derived>(open), "error TypeMismatch");
        yield return ("a class becomes a struct, as a member's type", Member<Before.One, Before.Point>(closed), "error SchemaMismatch");
        yield return ("a class becomes a struct, in an object variable",
            Member<object, object>(open, old, NoNames.Alias<Before.Point>("Shop.Thing")), "X=1");
        yield return ("a class becomes a list, in an object variable",
            Member<object, object>(open, old, NoNames.Alias<After.Things>("Shop.Thing")), "[]");
    }

    private static IEnumerable<(string Rule, string Outcome, string Expected)> Options()
    {
        var one = new Before.One { X = 1 };
        SerializerOptions plain = new() { TypeFilter = TypeFilter.Unrestricted };
        SerializerOptions surrogates = plain with
        {
            Surrogates = [Surrogate.Create<Before.One, int>(value => value.X, number => new Before.One { X = number })],
        };
        SerializerOptions serializers = plain with { ValueSerializerFactories = [ValueSerializerFactory.For(new OneSerializer())] };
        SerializerOptions others = plain with { ValueSerializerFactories = [ValueSerializerFactory.For(new OtherSerializer())] };
        SerializerOptions wide = plain with
        {
            Surrogates = [Surrogate.Create<Before.One, Before.Pair>(
                value => new() { X = value.X, Y = 2 }, pair => new Before.One { X = pair.X })],
            TypeAliases = NoNames.Alias<Before.Pair>("Shop.Pair"),
        };
        SerializerOptions narrow = plain with
        {
            Surrogates = [Surrogate.Create<Before.One, Before.Point>(
                value => new() { X = value.X }, point => new Before.One { X = point.X })],
            TypeAliases = NoNames.Alias<Before.Point>("Shop.Pair"),
        };
        SerializerOptions singletons = plain with { Singletons = [new Before.One { X = 7 }] };
        yield return ("a type gets a surrogate", Options<Before.One>(one, plain, surrogates), "error SchemaMismatch");
        yield return ("a surrogate is removed", Options<Before.One>(one, surrogates, plain), "error SchemaMismatch");
        yield return ("a type gets a value serializer", Options<Before.One>(one, plain, serializers), "error SchemaMismatch");
        yield return ("a value serializer is removed", Options<Before.One>(one, serializers, plain), "error SchemaMismatch");
        yield return ("a value serializer writes other bytes, as many", Options<Before.One>(one, serializers, others), "X=0");
        yield return ("a surrogate's type loses a member", Options<Before.One>(one, wide, narrow), "X=1");
        yield return ("a type becomes a singleton", Options<Before.One>(one, plain, singletons), "X=7");
        yield return ("a singleton is removed", Options<Before.One>(one, singletons, plain), "error SchemaMismatch");
        SerializerOptions known = plain with { KnownTypes = [new(1, typeof(Before.One))] };
        SerializerOptions given = plain with { KnownTypes = [new(1, typeof(After.Renamed))] };
        yield return ("a known type's number is removed", Options<Before.One>(one, known, plain), "error UnknownKnownType");
        yield return ("a known type's number goes to another type", Options<object>(one, known, given), "Number=0");
        yield return ("a member is removed, VersionTolerance off",
            Read<Before.One>(new After.Added { X = 1 }, tolerant: false), "error SchemaMismatch");
        yield return ("a class becomes a record, VersionTolerance off", Read<After.Record>(one, tolerant: false), "X=1");
        yield return ("SerializeTyped, and a member is removed", Typed(new After.Added { X = 1 }), "error SchemaMismatch");
    }

    // A member of type TBefore in the program that writes, and of type TAfter in the one that reads.
    private static string Member<TBefore, TAfter>(TBefore value, TypeAliases? before = null, TypeAliases? after = null) =>
        Read<Holder<TAfter>>(new Holder<TBefore> { Value = value }, before, after);

    // The number stands for the class that changes, so that both programs may have it under one name, in one process.
    private static string Read<TAfter>(
        object value, TypeAliases? before = null, TypeAliases? after = null, bool tolerant = true) => Options<TAfter>(
        value,
        new() { KnownTypes = [new(1, value.GetType())], TypeAliases = before ?? NoNames, VersionTolerance = tolerant },
        new() { KnownTypes = [new(1, typeof(TAfter))], TypeAliases = after ?? NoNames, TypeFilter = TypeFilter.Unrestricted });

    private static string Options<T>(object value, SerializerOptions before, SerializerOptions after)
    {
        byte[] payload = new Serializer(before).Serialize(value);
        return Outcome(() => new Serializer(after).Deserialize<T>(payload));
    }

    private static string Typed(After.Added value)
    {
        byte[] payload = new Serializer().SerializeTyped(value);
        return Outcome(() => new Serializer().DeserializeTyped<Before.One>(payload));
    }

    private static string Outcome(Func<object?> read)
    {
        try
        {
            return Text(read());
        }
        catch (WireFormatException failure)
        {
            return $"error {failure.Error}";
        }
    }

    private static string Text(object? value) => value switch
    {
        null => "null",
        IHolder holder => Text(holder.Content),
        string or ValueType when value.GetType().Namespace != typeof(Before).Namespace || value is Enum => $"{value}",
        IEnumerable items => $"[{string.Join(' ', items.Cast<object>())}]",
        _ => string.Join(", ", value.GetType().GetProperties()
            .Select(property => $"{property.Name}={property.GetValue(value) ?? "null"}")
            .Append(value is After.Hiding hiding ? $"base X={((After.HidingBase)hiding).X}" : "")
            .Where(part => part.Length > 0)
            .Distinct()
            .Order(StringComparer.Ordinal)),
    };

    private interface IHolder
    {
        object? Content { get; }
    }

    private sealed class Holder<T> : IHolder
    {
        public T? Value { get; init; }

        object? IHolder.Content => Value;
    }

    private sealed class OneSerializer : ValueSerializer<Before.One>
    {
        public override void Write(ref WireWriter writer, Before.One value) => writer.WriteFixed(value.X);

        public override Before.One Read(ref WireReader reader) => new() { X = reader.ReadFixed<int>() };
    }

    // Writes a float, as long as an int.
    private sealed class OtherSerializer : ValueSerializer<Before.One>
    {
        public override void Write(ref WireWriter writer, Before.One value) => writer.WriteFixed((float)value.X);

        public override Before.One Read(ref WireReader reader) => new() { X = (int)reader.ReadFixed<float>() };
    }
}
