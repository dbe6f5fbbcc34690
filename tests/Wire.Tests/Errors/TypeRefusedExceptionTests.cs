using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Behaviour.Filtering;
using Wire.Tests.ValueSerializers.Collections;

namespace Wire.Tests.Errors;

/// <summary>What a refusal says to whoever reads it, and to the program that wants to know of each.</summary>
public sealed class TypeRefusedExceptionTests
{
    private static readonly Serializer Open = new(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });

    [Fact]
    public void The_advice_is_a_line_that_compiles_and_helps()
    {
        Advice(typeof(Cat), WireTypeFilter.Default.Allow<Cat>());
        Advice(typeof(Box<>), WireTypeFilter.Default.Allow(typeof(Box<>)));
        Advice(typeof(Shelf), WireTypeFilter.Default.Allow<Shelf>());
        Advice(typeof(Shelf.Book), WireTypeFilter.Default.Allow<Shelf.Book>());
        Advice(typeof(Shelf.Index<>), WireTypeFilter.Default.Allow(typeof(Shelf.Index<>)));
        Advice(typeof(Shelf.Index<>.Row), WireTypeFilter.Default.Allow(typeof(Shelf.Index<>.Row)));
        Advice(typeof(Shelf.Index<>.Column<,>), WireTypeFilter.Default.Allow(typeof(Shelf.Index<>.Column<,>)));
        Advice(typeof(Tools), WireTypeFilter.Default.Allow(typeof(Tools)));
        Advice(Shelf.PrivateType, WireTypeFilter.Default.AllowNamespace("Wire.Tests.Errors"));
        Advice(Shelf.PrivateInnerType, WireTypeFilter.Default.AllowNamespace("Wire.Tests.Errors"));
        Advice(typeof(Global), WireTypeFilter.Default.Allow<Global>());
    }

    [Fact]
    public void A_type_that_the_compiler_has_made_is_to_be_replaced_and_not_its_assembly_to_be_allowed()
    {
        object anonymous = new { A = 1 };
        TypeRefusedException error = Assert.Throws<TypeRefusedException>(
            () => new Serializer().Deserialize<object>(Open.Serialize(anonymous)));
        Assert.Contains("Use a record or class of your own instead", error.Remedy, StringComparison.Ordinal);
        Assert.DoesNotContain("AllowAssembly", error.Message, StringComparison.Ordinal);

        int captured = 1;
        Func<int> closure = () => captured++;
        error = Assert.Throws<TypeRefusedException>(
            () => new Serializer().Deserialize<Type>(TypeNamed(closure.Target!.GetType().AssemblyQualifiedName!)));
        Assert.Contains("Use a record or class of your own instead", error.Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public void An_alias_that_the_reader_lacks_is_one_to_give()
    {
        var writer = new Serializer(
            new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Cat>("N").Alias<Dog>("Our.Dog").Alias(typeof(Box<>), "Box") });
        foreach ((object value, string name) in new (object, string)[]
        {
            (new Cat(), "N"), (new Dog(), "Our.Dog"), (new Box<int>(), "Box`1"),
        })
        {
            var error = Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(writer.Serialize(value)));
            Assert.Equal(name, error.TypeName);
            string given = name.Split('`')[0];
            Assert.EndsWith(
                $"SerializerOptions.TypeAliases.Alias(its type, \"{given}\") or [WireName(\"{given}\")].",
                error.Remedy,
                StringComparison.Ordinal);
            Assert.DoesNotContain("Allow", error.Message, StringComparison.Ordinal);
        }

        // A type with a [WireName] that the reader has too, and a type of .NET, are only not allowed.
        var known = Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(Open.Serialize(new Renamed())));
        Assert.Equal("Our.Renamed", known.TypeName);
        Assert.Contains("WireTypeFilter.Default.Allow<TypeRefusedExceptionTests.Renamed>()", known.Remedy, StringComparison.Ordinal);
        known = Assert.Throws<TypeRefusedException>(
            () => new Serializer().Deserialize<object>(FilterTests.Named("System.Text.RegularExpressions.Capture")));
        Assert.Contains("WireTypeFilter.Default.Allow<Capture>()", known.Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public void Asking_for_the_wrong_class_is_told_as_that()
    {
        byte[] dog = Open.Serialize(new Dog());
        foreach (Action<Serializer> read in new Action<Serializer>[]
        {
            reader => reader.Deserialize<Leaf>(dog), reader => reader.Deserialize<Leaf>(new SeekableStream(dog)),
            reader => reader.Deserialize<int>(dog),
            reader => reader.Deserialize<Leaf[]>(dog), reader => reader.Deserialize<List<Leaf>>(dog),
            reader => reader.Deserialize<IComparable<int>>(dog),
        })
        {
            var error = Assert.Throws<TypeRefusedException>(() => read(new Serializer()));
            Assert.Equal(WireFormatError.TypeRefused, error.Error);
            Assert.Matches(
                @"the program has asked for a [\w.`\[\]]+, "
                + @"and nothing else allows Wire\.Tests\.Behaviour\.Dog\. Ask for Wire\.Tests\.Behaviour\.Dog\. Or,",
                error.Message);
            Assert.Contains("WireTypeFilter.Default.Allow<Dog>()", error.Remedy, StringComparison.Ordinal);
        }

        // What may be of the type that was asked for, or stands inside, is only not allowed.
        foreach (Action<Serializer> read in new Action<Serializer>[]
        {
            reader => reader.Deserialize<Animal>(dog), reader => reader.Deserialize<object>(dog), reader => reader.Deserialize<object>(dog),
            reader => reader.Deserialize<Bag>(Open.Serialize(new Bag { Animals = [new Dog()] })),
            reader => reader.Deserialize<Leaf[]>(Open.Serialize(new object[] { new Dog() })),
            reader => reader.Deserialize<HashSet<string?>>(Open.Serialize(new HashSet<string?>(new ByLength()))),
        })
        {
            Assert.Contains(
                "is refused: nothing in the program allows it.",
                Assert.Throws<TypeRefusedException>(() => read(new Serializer())).Message,
                StringComparison.Ordinal);
        }

        // Denied stays denied, and allowed is a mismatch.
        Assert.Contains(
            "denies it",
            Assert.Throws<TypeRefusedException>(() => With(WireTypeFilter.Default.Allow<Dog>().Deny<Dog>()).Deserialize<Leaf>(dog)).Message,
            StringComparison.Ordinal);
        WireFormatException mismatch = Assert.Throws<WireFormatException>(() => Open.Deserialize<Leaf>(dog));
        Assert.Equal(WireFormatError.TypeMismatch, mismatch.Error);
        Assert.Contains(
            $"The program asked for a value of type {typeof(Leaf)}, and the payload holds one of type {typeof(Dog)}.",
            mismatch.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_class_in_a_variable_of_its_base_is_allowed_with_all_others_of_it()
    {
        byte[] dog = Open.Serialize(new Dog());
        foreach (Action<Serializer> read in new Action<Serializer>[]
        {
            reader => reader.Deserialize<Animal>(dog),
            reader => reader.Deserialize<Bag>(Open.Serialize(new Bag { Animals = [new Dog()] })),
            reader => reader.Deserialize<Animal[]>(Open.Serialize(new Animal[] { new Dog() })),
        })
        {
            Assert.Contains(
                "for example by WireTypeFilter.Default.Allow<Dog>(), or by .AllowDerivedFrom<Animal>() with all that derive from "
                    + "Wire.Tests.Behaviour.Animal. Or add it to SerializerOptions.KnownTypes.",
                Assert.Throws<TypeRefusedException>(() => read(new Serializer())).Remedy,
                StringComparison.Ordinal);
            read(With(WireTypeFilter.Default.AllowDerivedFrom<Animal>()));
        }

        // Of anything, and of what .NET declares, is too much to propose.
        foreach (Action<Serializer> read in new Action<Serializer>[]
        {
            reader => reader.Deserialize<object>(dog), reader => reader.Deserialize<object[]>(Open.Serialize(new object[] { new Dog() })),
            reader => reader.Deserialize<IComparer<string>>(Open.Serialize(new ByLength())),
        })
        {
            TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => read(new Serializer()));
            Assert.DoesNotContain("AllowDerivedFrom", e.Remedy, StringComparison.Ordinal);
            Assert.Contains("WireTypeFilter.Default.Allow<", e.Remedy, StringComparison.Ordinal);
        }
    }

    // Programs that each have a copy of a class, without a [WireName]: a rule for one's own class would not help.
    [Fact]
    public void A_class_of_the_same_name_in_another_assembly_is_to_be_named_or_redirected()
    {
        byte[] payload = FilterTests.Named("Wire.Tests.Behaviour.Cat, Sender");
        foreach (Serializer reader in new[] { new Serializer(), With(WireTypeFilter.Default.Allow<Cat>()) })
        {
            Assert.Equal(
                "This program has a type of that name in Wire.Tests. If it is the one, give it the same [WireName] on both sides, or add "
                    + "SerializerOptions.TypeAliases.Redirect(\"Wire.Tests.Behaviour.Cat, Sender\", its type).",
                Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Animal>(payload)).Remedy);
        }

        var redirected = new Serializer(new SerializerOptions
        {
            TypeAliases = TypeAliases.None.Redirect("Wire.Tests.Behaviour.Cat, Sender", typeof(Cat)),
            TypeFilter = WireTypeFilter.Default.Allow<Cat>(),
        });
        Assert.IsNotType<TypeRefusedException>(Record.Exception(() => redirected.Deserialize<Animal>(payload)));
    }

    [Fact]
    public void What_cannot_be_allowed_says_so()
    {
        byte[] cat = Open.Serialize(new Cat());
        var error = Assert.Throws<TypeRefusedException>(
            () => With(WireTypeFilter.Default.Allow<Cat>().Deny<Cat>()).Deserialize<object>(cat));
        Assert.DoesNotContain("Allow<", error.Remedy, StringComparison.Ordinal);
        error = Assert.Throws<TypeRefusedException>(
            () => With(WireTypeFilter.Unrestricted)
                .Deserialize<object>(FilterTests.Named("System.Diagnostics.Process, System.Diagnostics.Process")));
        Assert.DoesNotContain("Allow<", error.Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_refused_read_is_reported_once_and_a_good_one_never()
    {
        var reports = new List<RefusedType>();
        var serializer = new Serializer(new SerializerOptions { TypeRefused = reports.Add });
        byte[] payload = serializer.Serialize(new Bag { Animals = [new Cat(), new Dog()] });
        for (int i = 1; i <= 3; i++)
        {
            var error = Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Bag>(payload));
            Assert.Equal(i, reports.Count);
            Assert.Equal(new RefusedType("Wire.Tests.Behaviour.Cat", "Wire.Tests", error.Reason, typeof(Bag)), reports[^1]);
        }

        Assert.Equal(2, serializer.Deserialize<Bag>(serializer.Serialize(new Bag { Animals = [null, null] }))!.Animals!.Count);
        Assert.Throws<WireFormatException>(() => serializer.Deserialize<Bag>(payload.AsSpan(0, 3).ToArray()));
        Assert.Equal(3, reports.Count);

        using DeserializerSession session = serializer.GetDeserializerSession();
        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Animal>(Open.Serialize(new Cat()), session));
        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(new SeekableStream(Open.Serialize(new Cat()))));
        Assert.Throws<TypeRefusedException>(() => serializer.DeserializeTyped<Animal>(Open.SerializeTyped<Animal>(new Cat())));
        Assert.Equal([typeof(Animal), typeof(object), typeof(Animal)], reports.Skip(3).Select(report => report.RootType));
    }

    [Fact]
    public void What_the_report_gets_is_bounded_and_what_it_throws_comes_out_as_it_is()
    {
        var reports = new List<RefusedType>();
        var serializer = new Serializer(new SerializerOptions { TypeRefused = reports.Add });
        foreach (string name in new[]
        {
            new string('A', 16_384),
            $"{new string('A', 8000)}, {new string('B', 8000)}",
            "A\0B, C",
            "Evil.Type, Evil, Version=1.0.0.0",
            new string('A', 16_385),
        })
        {
            Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<object>(FilterTests.Named(name)));
        }

        Assert.Equal(4, reports.Count);
        Assert.All(reports, report => Assert.InRange(report.FullName.Length + (report.AssemblyName?.Length ?? 0), 1, 16_384));
        Assert.Equal(("Evil.Type", "Evil"), (reports[^1].FullName, reports[^1].AssemblyName));

        var thrown = new InvalidOperationException("mine");
        bool fails = true;
        var loud = new Serializer(new SerializerOptions
        {
            TypeRefused = _ =>
            {
                if (fails)
                {
                    throw thrown;
                }
            },
        });
        byte[] cat = Open.Serialize(new Cat());
        Assert.Same(thrown, Record.Exception(() => loud.Deserialize<object>(cat)));
        fails = false;
        Assert.Throws<TypeRefusedException>(() => loud.Deserialize<object>(cat));
        Assert.Equal(1, loud.RoundTrip(new Leaf { Id = 1 }).Id);
    }

    // Lines of their own, the sequences of terminals, and what reorders or hides the text around it.
    [Theory]
    [InlineData("Evil\n2026-01-01 root logged in, Shop", "Evil\\u000A2026-01-01 root logged in, Shop")]
    [InlineData("Evil\u001B(0\r, Shop", "Evil\\u001B(0\\u000D, Shop")]
    [InlineData("Evil\u2028\u2029\u0085\u007F, Shop", "Evil\\u2028\\u2029\\u0085\\u007F, Shop")]
    [InlineData("Evil\u202Egnp.\u200B\uFEFF\u2066, Shop", "Evil\\u202Egnp.\\u200B\\uFEFF\\u2066, Shop")]
    [InlineData("Evil\U000E0041, Shop", "Evil\\U000E0041, Shop")]
    [InlineData("Bestellung.Größe\U00020000, Shop", "Bestellung.Größe\U00020000, Shop")]
    public void A_name_stays_on_the_line_and_is_seen_as_it_is(string name, string shown)
    {
        var reports = new List<RefusedType>();
        var serializer = new Serializer(new SerializerOptions { TypeRefused = reports.Add });

        var error = Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(FilterTests.Named(name)));

        Assert.Equal(shown, error.TypeName);
        Assert.Contains($"'{shown}'", error.Message, StringComparison.Ordinal);
        Assert.Contains(shown[..^", Shop".Length], reports[0].FullName, StringComparison.Ordinal);
        foreach (string text in new[] { error.Message, error.Reason, error.Remedy, error.TypeName, reports[0].ToString() })
        {
            AssertOneLine(text);
        }
    }

    [Fact]
    public void A_long_name_is_cut_and_what_to_do_is_not()
    {
        string tail = new('\n', 5000);
        foreach (string name in new[]
        {
            $"Evil.{new string('A', 16_000)}, Shop", $"Evil{tail}, Shop", $"Evil{tail}.B", $"Evil.B, {new string('S', 5000)}",
        })
        {
            var reports = new List<RefusedType>();
            var serializer = new Serializer(new SerializerOptions { TypeRefused = reports.Add });

            var error = Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(FilterTests.Named(name)));

            Assert.InRange(error.Message.Length, 100, 4100);
            Assert.InRange(error.TypeName.Length, 100, 1003);
            Assert.EndsWith("...", error.TypeName, StringComparison.Ordinal);
            Assert.Contains("which is refused: ", error.Message, StringComparison.Ordinal);
            Assert.InRange(reports[0].ToString().Length, 1, 4100);
            AssertOneLine(error.Message);
        }
    }

    [Fact]
    public void Other_errors_show_names_in_the_same_way()
    {
        var allowing = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowNamespace("Wire.Tests.Errors") });
        foreach (string name in new[]
        {
            "Wire.Tests.Errors.No\nsuch, Wire.Tests", $"Wire.Tests.Errors.{new string('\n', 9000)}, Wire.Tests", "[\n]",
        })
        {
            var error = Assert.ThrowsAny<WireFormatException>(() => allowing.Deserialize<object>(FilterTests.Named(name)));

            Assert.NotEqual(WireFormatError.TypeRefused, error.Error);
            Assert.Contains("\\u000A", error.Message, StringComparison.Ordinal);
            Assert.InRange(error.Message.Length, 1, 4100);
            AssertOneLine(error.Message);
        }
    }

    [Fact]
    public void Reports_come_from_all_threads_and_none_is_lost()
    {
        int count = 0;
        var serializer = new Serializer(new SerializerOptions { TypeRefused = _ => Interlocked.Increment(ref count) });
        byte[] cat = Open.Serialize(new Cat());
        Parallel.For(0, 500, _ => Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(cat)));
        Assert.Equal(500, count);
    }

    [Fact]
    public void A_read_inside_another_one_is_reported_once_by_one_set_of_options()
    {
        int count = 0;
        Serializer? inner = null;
        byte[] cat = Open.Serialize(new Cat());
        var options = new SerializerOptions
        {
            TypeRefused = _ => count++,
            Surrogates = [Surrogate.Create<Parcel, byte[]>(_ => cat, bytes => new Parcel(inner!.Deserialize<object>(bytes)))],
        };
        inner = new Serializer(options);
        byte[] payload = inner.Serialize(new Parcel(null));
        Assert.Throws<TypeRefusedException>(() => inner.Deserialize<Parcel>(payload));
        Assert.Equal(1, count);
    }

    private static void Advice(
        Type type, WireTypeFilter filter, string? written = null, [CallerArgumentExpression(nameof(filter))] string line = "") =>
        Check(type, filter, written ?? line);

    private static void Check(Type type, WireTypeFilter filter, string line)
    {
        byte[] payload = TypeNamed(type.AssemblyQualifiedName!);
        var error = Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<Type>(payload));
        Assert.Contains($"for example by {line}.", error.Remedy, StringComparison.Ordinal);
        Assert.Equal(type, With(filter).Deserialize<Type>(payload));
    }

    private static void AssertOneLine(string text) => Assert.DoesNotContain(
        text.EnumerateRunes(),
        rune => Rune.GetUnicodeCategory(rune) is UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator
            or UnicodeCategory.ParagraphSeparator);

    private static Serializer With(WireTypeFilter filter) => new(new SerializerOptions { TypeFilter = filter });

    private static byte[] TypeNamed(string name)
    {
        var serializer = new Serializer();
        byte[] type = serializer.Serialize(typeof(int)), text = serializer.Serialize(name);
        return [type[0], type[1], .. text[2..]];
    }

    [WireName("Our.Renamed")]
    internal sealed class Renamed;

    private sealed class Parcel(object? content)
    {
        public Func<object?> Content { get; } = () => content;
    }
}

public class Shelf
{
    public static Type PrivateType => typeof(Hidden);

    public static Type PrivateInnerType => typeof(Hidden.Inner);

    public sealed class Book
    {
        public int Id;
    }

    public class Index<T>
    {
        public T? First;

        public sealed class Row
        {
            public int Id;
        }

        public sealed class Column<TA, TB>
        {
            public TA? A;
            public TB? B;
        }
    }

    private class Hidden
    {
        internal class Inner;
    }
}

public static class Tools
{
    public static string Name => new StringBuilder("tools").ToString();
}
