using System.Collections;
using System.Data.SqlTypes;
using System.Globalization;
using System.Linq.Expressions;
using System.Net;
using System.Net.Mail;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Wire.Comparing;

/// <summary>What is looked at in values of a type, found once.</summary>
internal sealed class TypeFaces
{
    private const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    // Types of the tests may be unloaded.
    private static readonly ConditionalWeakTable<Type, TypeFaces> Known = [];

    private TypeFaces(Type type)
    {
        Part = CollectionState.PartOf(type);
        HasKeys = CollectionKeys.Has(type);
        IsExpression = typeof(Expression).Assembly == type.Assembly && type.Namespace == typeof(Expression).Namespace;
        Fields = IsExpression ? [.. OfExpression(type)] : IsStructUnion(type) ? [.. OfUnion(type)] : [.. OfFields(type, Part)];
        IsObjectOfItsOwn = typeof(byte[]) == type || type == typeof(object) || new[]
        {
            typeof(StringBuilder), typeof(BitArray), typeof(Cookie), typeof(MailAddress), typeof(JsonNode), typeof(XObject), typeof(Regex),
            typeof(EndPoint), typeof(MemoryStream), typeof(NumberFormatInfo), typeof(DateTimeFormatInfo), typeof(TextInfo),
            typeof(RegionInfo), typeof(UriBuilder),
            typeof(AssemblyName), typeof(SqlXml), typeof(SqlBytes), typeof(SqlChars),
        }.Any(known => known.IsAssignableFrom(type));
    }

    /// <summary>The part whose state is not its fields.</summary>
    public Type? Part { get; }

    /// <summary>Whether it finds what it holds by keys.</summary>
    public bool HasKeys { get; }

    /// <summary>The fields beside the part, those of bases too.</summary>
    public Face[] Fields { get; }

    /// <summary>Whether it is a part of an expression tree, whose public face is compared.</summary>
    public bool IsExpression { get; }

    /// <summary>Whether it is compared as a whole and yet is an object that may be shared.</summary>
    public bool IsObjectOfItsOwn { get; }

    /// <summary>False when a value of the type was none that is compared as a whole.</summary>
    public bool MayBeLeaf { get; set; } = true;

    public static TypeFaces Of(Type type) => Known.GetValue(type, static type => new TypeFaces(type));

    /// <summary>Something that a value has.</summary>
    /// <param name="Name">What it is called.</param>
    /// <param name="Get">Gives it.</param>
    /// <param name="IsObject">Whether it is declared as object, and so may hold a box.</param>
    /// <param name="IsLeftOut">Whether the program has said that it is not written.</param>
    public readonly record struct Face(string Name, Func<object, object?> Get, bool IsObject = false, bool IsLeftOut = false);

    private static IEnumerable<Face> OfFields(Type whole, Type? upTo)
    {
        if (whole.GetCustomAttribute<InlineArrayAttribute>() is not null)
        {
            yield return new Face("elements", Elements(whole));
            yield break;
        }

        for (Type? type = whole; type is not null && type != upTo; type = type.BaseType)
        {
            foreach (FieldInfo field in type.GetFields(Declared))
            {
                if (field.GetCustomAttribute<FixedBufferAttribute>() is not null)
                {
                    Func<object, object?> bytes = Generic<Func<object, object?>>(nameof(BytesOf), field.FieldType);
                    yield return new Face(field.Name, value => bytes(field.GetValue(value)!));
                }
                else
                {
                    yield return new Face(field.Name, field.GetValue, field.FieldType == typeof(object), IsLeftOut(field));
                }
            }
        }
    }

    private static bool IsStructUnion(Type type) =>
        type is { IsValueType: true, IsEnum: false } && type.GetProperty("Tag") is not null
            && type.GetCustomAttributesData().Any(IsMapping);

    private static bool IsMapping(CustomAttributeData attribute) => attribute.AttributeType.Name == "CompilationMappingAttribute";

    // F# leaves in the fields of the other cases whatever was there.
    private static IEnumerable<Face> OfUnion(Type type)
    {
        PropertyInfo tag = type.GetProperty("Tag")!;
        yield return new Face("Tag", tag.GetValue);
        foreach (PropertyInfo property in type.GetProperties(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
        {
            // Of what kind it is, of which case, and the how manieth there.
            if (property.GetCustomAttributesData().FirstOrDefault(IsMapping) is { ConstructorArguments: [_, { Value: int of }, _] })
            {
                object? Get(object value) => (int)tag.GetValue(value)! == of ? property.GetValue(value) : null;
                yield return new Face(property.Name, Get, property.PropertyType == typeof(object));
            }
        }
    }

    // What an expression keeps in its fields depends on what it was asked before.
    // By name: the comparison knows nothing of Wire.
    private static bool IsLeftOut(FieldInfo field) => field.IsDefined(typeof(NonSerializedAttribute))
        || field.GetCustomAttributesData().Any(attribute => attribute.AttributeType.Name == "IgnoreMemberAttribute");

    private static IEnumerable<Face> OfExpression(Type type) =>
        from property in type.GetProperties(BindingFlags.Instance | BindingFlags.Public)
        where property.GetIndexParameters().Length == 0
        select new Face(property.Name, value => CollectionState.Asked(property, value), property.PropertyType == typeof(object));

    private static Func<object, object?> Elements(Type type) =>
        Generic<Func<object, object?>>(nameof(ItemsOf), type, type.GetFields(Declared)[0].FieldType);

    private static TDelegate Generic<TDelegate>(string name, params Type[] arguments)
        where TDelegate : Delegate =>
        typeof(TypeFaces).GetMethod(name, BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(arguments).CreateDelegate<TDelegate>();

    // A copy is looked at, which belongs to no graph: only its elements do.
    private static TElement[] ItemsOf<TBuffer, TElement>(object box)
        where TBuffer : struct
    {
        int length = typeof(TBuffer).GetCustomAttribute<InlineArrayAttribute>()!.Length;
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<TBuffer, TElement>(ref Unsafe.Unbox<TBuffer>(box)), length).ToArray();
    }

    private static byte[] BytesOf<TBuffer>(object box)
        where TBuffer : struct =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<TBuffer, byte>(ref Unsafe.Unbox<TBuffer>(box)), Unsafe.SizeOf<TBuffer>()).ToArray();
}
