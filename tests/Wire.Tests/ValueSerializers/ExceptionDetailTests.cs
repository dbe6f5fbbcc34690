using System.Collections;
using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Data;
using System.Reflection;
using System.Security;
using System.Text.RegularExpressions;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

[TypeNotes("message and names of members; a class of your own that derives from it keeps its members")]
public sealed class ValidationResultTests : ValueTests<ValidationResult?>
{
    protected override IEnumerable<ValidationResult?> Samples =>
        [null, ValidationResult.Success, new(null), new("bad"), new("bad", (string[])["A", "B"]), new("", (string[])[])];

    [Fact]
    public void Names_may_be_any_sequence()
    {
        ValidationResult back = new Serializer().CopyBothWays(new ValidationResult("bad", Enumerable.Range(1, 3).Select(i => $"A{i}")));
        Assert.Equal(["A1", "A2", "A3"], back.MemberNames);
        Assert.Equal("bad", back.ErrorMessage);
    }
}

/// <summary>What exceptions of .NET hold besides their texts.</summary>
public sealed partial class ExceptionDetailTests
{
    private static readonly string[] Page = File.ReadAllLines(Path.Combine(Repository.Root, "docs", "types.md"));
    private static readonly string[] Left = [.. Listed()];

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Every_property_comes_back_but_those_of_the_page(bool dynamicCode, bool references)
    {
        var serializer = new Serializer(new SerializerOptions { DynamicCode = dynamicCode, PreserveObjectReferences = references });
        var equality = new GraphEquality(serializer);
        var lost = new SortedSet<string>(StringComparer.Ordinal);
        var seen = new HashSet<PropertyInfo>();
        Exception[] all = [.. FrameworkExceptions.Classes.SelectMany(FrameworkExceptions.Made), .. FrameworkExceptions.Thrown()];
        foreach (Exception sample in all)
        {
            Exception back = serializer.Deserialize<Exception>(serializer.Serialize(sample))!;
            Exception copy = serializer.Clone(sample);
            Assert.Equal((sample.GetType(), sample.GetType()), (back.GetType(), copy.GetType()));
            Assert.True(equality.AreEqual(sample, back), $"{sample.GetType()}: {equality.FindDifference(sample, back)}");
            Assert.True(equality.AreEqual(copy, back), $"{sample.GetType()}: {equality.FindDifference(copy, back)}");
            foreach (PropertyInfo property in sample.GetType().GetProperties().Where(p => p.GetIndexParameters().Length == 0))
            {
                object? value = Ask(property, sample), read = Ask(property, back);
                Assert.True(AreSame(read, Ask(property, copy)), $"{property.DeclaringType}.{property.Name} of a clone");
                _ = AreSame(value, read) || lost.Add($"{property.DeclaringType!.Name}.{property.Name}");
                _ = AreSame(value, null) || seen.Add(property);
            }
        }

        Assert.InRange(FrameworkExceptions.Classes.Length, 150, 1000);
        Assert.InRange(seen.Select(property => property.MetadataToken).Distinct().Count(), 90, 1000);
        Assert.Equal(Listed(), lost);
    }

    [Fact]
    public void A_validation_that_failed_says_of_what()
    {
        var sample = new ValidationException(new ValidationResult("bad", ["A", "B"]), new RequiredAttribute(), 5);
        ValidationException back = new Serializer().CopyBothWays(sample);
        Assert.Equal(("bad", "bad", 5), (back.Message, back.ValidationResult.ErrorMessage, back.Value));
        Assert.Equal(["A", "B"], back.ValidationResult.MemberNames);
        Assert.Null(back.ValidationAttribute);

        // A class of the program over it, and one over the result.
        OrderInvalid own = new Serializer().CopyBothWays(new OrderInvalid(new Finding("late", ["Day"]) { Severity = 3 }) { Order = 42 });
        Assert.Equal((42, "late", 3), (own.Order, own.Message, Assert.IsType<Finding>(own.ValidationResult).Severity));
        Assert.Equal(["Day"], own.ValidationResult.MemberNames);
    }

    [Fact]
    public void What_only_the_options_can_write_is_asked_of_them()
    {
        var serializer = new Serializer(new SerializerOptions
        {
            Surrogates =
            [
                Surrogate.Create<ValidationAttribute, int>(
                    value => ((MaxLengthAttribute)value).Length, length => new MaxLengthAttribute(length)),
                Surrogate.Create<ValidationResult, string>(value => $"{value.ErrorMessage}!", text => new ValidationResult(text)),
            ],
            AllowMemberInfos = true,
        });

        ValidationException back = serializer.CopyBothWays(
            new ValidationException(new ValidationResult("bad", ["A"]), new MaxLengthAttribute(9), null));

        Assert.Equal(9, Assert.IsType<MaxLengthAttribute>(back.ValidationAttribute).Length);
        Assert.Equal("bad!", back.ValidationResult.ErrorMessage);
        MethodInfo method = typeof(string).GetMethod(nameof(string.IsNullOrEmpty))!;
        Assert.Equal(method, serializer.CopyBothWays(new SecurityException { Method = method }).Method);
    }

    [Fact]
    public void A_token_that_is_cancelled_stays_so_and_another_one_is_none()
    {
        var serializer = new Serializer();
        using var source = new CancellationTokenSource();
        Assert.Equal(CancellationToken.None, serializer.CopyBothWays(new OperationCanceledException(source.Token)).CancellationToken);
        source.Cancel();
        Assert.Equal(new CancellationToken(true), serializer.CopyBothWays(new OperationCanceledException(source.Token)).CancellationToken);
        TaskCanceledException back = serializer.CopyBothWays(new TaskCanceledException("no more", null, source.Token));
        Assert.True(back.CancellationToken.IsCancellationRequested);
        Assert.Equal("no more", back.Message);

        var equality = new GraphEquality(serializer);
        Assert.False(equality.AreEqual(new OperationCanceledException("a", source.Token), new OperationCanceledException("a")));

        // In a variable of the program's own a live token is an error, as ever.
        using var live = new CancellationTokenSource();
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(new Holder<CancellationToken> { Declared = live.Token }));
    }

    [Fact]
    public void A_type_that_is_refused_is_left_out_and_nothing_else()
    {
        var open = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        var reader = new Serializer();
        byte[] bytes = open.Serialize(new LicenseException(typeof(Finding), null, "no license"));
        LicenseException back = reader.Deserialize<LicenseException>(bytes)!;
        Assert.Equal((null, "no license"), (back.LicensedType, back.Message));
        Assert.Equal(typeof(Finding), open.Deserialize<LicenseException>(bytes)!.LicensedType);
        var denying = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Finding>().Deny<Finding>() });
        Assert.Null(denying.Deserialize<LicenseException>(bytes)!.LicensedType);

        // Of a list, the element; and in two exceptions beside each other, or a type of the program's own, all the same.
        var types = new ReflectionTypeLoadException([typeof(int), typeof(Finding), null], [new FormatException("a")], "text");
        object?[] both = reader.Deserialize<object?[]>(open.Serialize(new object?[] { types, types, typeof(int) }))!;
        Assert.All(both[..2], read => Assert.Equal([typeof(int), null, null], ((ReflectionTypeLoadException)read!).Types));
        Assert.Equal(typeof(int), both[2]);
        Assert.Equal([typeof(int), typeof(Finding), null], open.CopyBothWays(types).Types);

        // A type in a variable of the program's own is refused as ever, also behind one that was left out.
        byte[] behind = open.Serialize(new object?[] { types, typeof(Finding) });
        Assert.Throws<TypeRefusedException>(() => reader.Deserialize<object?[]>(behind));
        byte[] value = open.Serialize(new ArgumentOutOfRangeException("p", typeof(Finding), "m"));
        Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Exception>(value));
        byte[] other = open.Serialize(new ValidationException(new Finding("late", []), null, null));
        Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Exception>(other));
    }

    [Fact]
    public void A_type_that_no_payload_can_name_is_left_out()
    {
        Type unbound = typeof(Holder<>).GetGenericArguments()[0];
        var serializer = new Serializer();
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(unbound));
        Assert.Null(serializer.CopyBothWays(new LicenseException(unbound, null, "m")).LicensedType);
        var types = new ReflectionTypeLoadException([typeof(int), unbound], []);
        Assert.Equal([typeof(int), null], serializer.CopyBothWays(types).Types);
        Assert.Equal([typeof(int), unbound], types.Types);
        var equality = new GraphEquality(serializer);
        Assert.False(equality.AreEqual(new LicenseException(typeof(int)), new LicenseException(typeof(long))));
    }

    [Theory]
    [InlineData(1000, true)]
    [InlineData(1001, false)]
    public void Only_so_many_types_of_a_message_are_left_out(int count, bool isRead)
    {
        var open = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        byte[] bytes = open.Serialize(new ReflectionTypeLoadException([.. Enumerable.Repeat(typeof(Finding), count)], []));
        for (int i = 0; i < 2; i++)
        {
            var serializer = new Serializer();
            if (isRead)
            {
                Assert.All(serializer.Deserialize<ReflectionTypeLoadException>(bytes)!.Types, Assert.Null);
            }
            else
            {
                Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<ReflectionTypeLoadException>(bytes));
            }
        }
    }

    [Fact]
    public void What_is_bound_to_a_table_or_document_refuses_no_exception()
    {
        foreach (Exception sample in FrameworkExceptions.Thrown().Append(
            FrameworkExceptions.Made(typeof(DBConcurrencyException)).Last()))
        {
            Assert.Equal(sample.Message, new Serializer().CopyBothWays(sample).Message);
        }
    }

    // Properties that throw throw in both.
    /// <summary>The properties that do not come back, of those that the page does not list.</summary>
    internal static IEnumerable<string> Lost(Exception sample, Exception back) => sample.GetType().GetProperties()
        .Where(property => property.GetIndexParameters().Length == 0 && !AreSame(Ask(property, sample), Ask(property, back)))
        .Select(property => $"{property.DeclaringType!.Name}.{property.Name}")
        .Except(Left);

    private static object? Ask(PropertyInfo property, Exception exception)
    {
        try
        {
            return property.GetValue(exception);
        }
        catch (TargetInvocationException e)
        {
            return e.InnerException;
        }
    }

    private static bool AreSame(object? value, object? read) => (value, read) switch
    {
        (null, null) => true,
        (null, _) or (_, null) => false,
        (string left, string right) => left == right,
        (Exception left, Exception right) => left.GetType() == right.GetType() && left.Message == right.Message,
        (ValidationResult left, ValidationResult right) => left.ErrorMessage == right.ErrorMessage
            && left.MemberNames.SequenceEqual(right.MemberNames),
        (AssemblyName left, AssemblyName right) => left.FullName == right.FullName,
        (IEnumerable left, IEnumerable right) => left.Cast<object?>().Zip(right.Cast<object?>(), AreSame).All(same => same)
            && left.Cast<object?>().Count() == right.Cast<object?>().Count(),
        _ => value.Equals(read),
    };

    private static IEnumerable<string> Listed() => Page
        .SkipWhile(line => line != "## What exceptions of .NET leave out")
        .Skip(1)
        .TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal))
        .Where(line => line.StartsWith("| `", StringComparison.Ordinal))
        .SelectMany(line => Names().Matches(line.Split('|')[1]).Select(match => match.Groups[1].Value))
        .Order(StringComparer.Ordinal);

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Names();

    public sealed class Finding(string message, string[] names) : ValidationResult(message, names)
    {
        public int Severity { get; set; }
    }

    private sealed class OrderInvalid(ValidationResult result) : ValidationException(result, null, null)
    {
        public int Order { get; set; }
    }
}
