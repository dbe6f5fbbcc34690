using System.Collections;
using System.Data;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Security.Claims;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Types;

/// <summary>
/// What programs with BinaryFormatter could write has one of two outcomes: it comes back equal, or it is refused when it is written, and
/// docs/types.md says why and what to do.
/// </summary>
public sealed class CoreTypesTests
{
    private const string Section = "## Types of .NET that are refused\n";

    private static readonly Serializer Serializer = new(new SerializerOptions
    {
        PreserveObjectReferences = true,
        Surrogates = [.. FrameworkSurrogates.All],
    });

    // What is told apart by what it says, where fields hold caches and times.
    private static readonly (Type Type, Func<object, object?> Face)[] Faces =
    [
        (typeof(DataTable), value => Xml(((DataTable)value).WriteXml)),
        (typeof(DataSet), value => ((DataSet)value).GetXmlSchema() + ((DataSet)value).GetXml()),
        (typeof(XmlDocument), value => ((XmlDocument)value).OuterXml),
        (typeof(XmlQualifiedName), value => value.ToString()),
        (typeof(Claim), value => value.ToString()),
        (typeof(ClaimsIdentity), value => Of((ClaimsIdentity)value)),
        (typeof(ClaimsPrincipal), value => string.Join('|', ((ClaimsPrincipal)value).Identities.Select(Of))),
        (typeof(CookieCollection), value => string.Join('|', (CookieCollection)value)),
        (typeof(CookieContainer), value => string.Join('|', ((CookieContainer)value).GetAllCookies())),
        (typeof(FileSystemInfo), value => value.ToString()),
    ];

    public static IEnumerable<object[]> Kept => CoreValues.Kept.Select((value, i) => new object[] { i, value.GetType().FullName! });

    public static TheoryData<string> Refused => [.. CoreValues.Refused.Keys];

    [Theory]
    [MemberData(nameof(Kept))]
    public void What_is_written_comes_back_equal(int number, string type)
    {
        object value = CoreValues.Kept.ElementAt(number);

        object back = Serializer.Deserialize<object>(Serializer.Serialize(value))!;

        Assert.Equal((type, value.GetType()), (back.GetType().FullName, back.GetType()));
        if (Array.Find(Faces, face => face.Type.IsInstanceOfType(value)).Face is { } face)
        {
            Assert.Equal(face(value), face(back));
        }
        else
        {
            GraphAssert.Same(value, back, sharing: true);
        }
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void What_is_refused_says_why(string name)
    {
        foreach (object value in CoreValues.Refused[name].Select(make => make()))
        {
            string message = Assert.Throws<UnsupportedTypeException>(() => Serializer.Serialize(value)).Message;

            Assert.Contains($"'{value.GetType()}' cannot be serialized: ", message, StringComparison.Ordinal);
            Assert.DoesNotContain("FrameworkSurrogates", message, StringComparison.Ordinal);
            (value as IDisposable)?.Dispose();
        }
    }

    [Fact]
    public void Own_classes_are_refused_where_their_base_has_private_state()
    {
        foreach (object state in new object[] { new OwnRandom(), new OwnCalendar(), new OwnStopwatch(), new OwnProgress() })
        {
            Assert.Throws<UnsupportedTypeException>(() => Serializer.Serialize(state));
        }

        var own = new Serializer(new() { TypeFilter = WireTypeFilter.Default.Allow<Noted>().Allow<Replacing>().Allow<Counter>() });
        Assert.Equal(3, Assert.IsType<Noted>(own.Deserialize<object>(own.Serialize<object>(new Noted { Number = 3 }))).Number);
        Assert.Equal(4, Assert.IsType<Replacing>(own.Deserialize<object>(own.Serialize<object>(new Replacing { Number = 4 }))).Number);
        Assert.Equal(5, Assert.IsType<Counter>(own.Deserialize<object>(own.Serialize<object>(new Counter { Number = 5 }))).Current);
    }

    [Fact]
    public void The_page_says_why_and_what_to_do_of_each_that_is_refused_and_of_no_other()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "types.md"));
        string behind = page[(page.IndexOf(Section, StringComparison.Ordinal) + Section.Length)..];
        string[] lines = behind[..behind.IndexOf("\n## ", StringComparison.Ordinal)].Split('\n');
        string[][] rows = [.. lines.Where(line => line.StartsWith("| `", StringComparison.Ordinal)).Select(line => line.Split(" | "))];
        IEnumerable<string> named =
            from row in rows from match in Regex.Matches(row[0], "`([^`]+)`") select match.Groups[1].Value;

        Assert.All(rows, row => Assert.True(row is [_, { Length: > 10 }, { Length: > 10 }], row[0]));
        Assert.Equal(CoreValues.Refused.Keys.Order(StringComparer.Ordinal), named.Order(StringComparer.Ordinal));
    }

    private static string Of(ClaimsIdentity identity) =>
        $"{identity.GetType()} {identity.Name} {identity.AuthenticationType} {string.Join(',', identity.Claims)}";

    private static string Xml(Action<TextWriter, XmlWriteMode> write)
    {
        var text = new StringWriter();
        write(text, XmlWriteMode.WriteSchema);
        return text.ToString();
    }

    private sealed class OwnRandom : Random;

    private sealed class OwnCalendar : GregorianCalendar;

    private sealed class OwnStopwatch : Stopwatch;

    private sealed class OwnProgress : Progress<int>;

    [AttributeUsage(AttributeTargets.All)]
    private sealed class Noted : Attribute
    {
        public int Number { get; set; }
    }

    private sealed class Replacing : EncoderFallback
    {
        public int Number { get; set; }

        public override int MaxCharCount => 1;

        public override EncoderFallbackBuffer CreateFallbackBuffer() => ReplacementFallback.CreateFallbackBuffer();
    }

    private sealed class Counter : IEnumerator
    {
        public int Number { get; set; }

        public object Current => Number;

        public bool MoveNext() => false;

        public void Reset()
        {
        }
    }
}
