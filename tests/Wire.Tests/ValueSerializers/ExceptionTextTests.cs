using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

/// <summary>What a payload makes of an exception can be looked at: whoever logs it is not killed by it.</summary>
public sealed class ExceptionTextTests
{
    private static readonly string[] Tokens = ["7CEC85D7BEA7798E", "B03F5F7F11D50A3A", "B77A5C561934E089", "CC7B13FFCD2DDD51"];

    private static readonly Type[] Classes = [.. Framework().SelectMany(assembly => assembly.GetExportedTypes())
        .Where(type => typeof(Exception).IsAssignableFrom(type) && !type.IsAbstract && !type.ContainsGenericParameters).Distinct()];

    private static readonly int[] Numbers =
        [0, 1, -1, 6056, int.MinValue, int.MaxValue, unchecked((int)0x80131522), unchecked((int)0x80004005)];

    [Fact]
    public void Made_up_exceptions_of_every_class_can_be_looked_at_or_are_refused()
    {
        Assert.InRange(Classes.Length, 100, 10_000);
        int read = 0, refused = 0;
        foreach (Type type in Classes)
        {
            foreach (byte[] payload in MadeUp(type))
            {
                foreach (bool dynamicCode in new[] { false, true })
                {
                    _ = IsRead(new Serializer(new SerializerOptions { DynamicCode = dynamicCode }), payload) ? read++ : refused++;
                }
            }
        }

        Assert.InRange(read, 1000, int.MaxValue);
        Assert.InRange(refused, 3, int.MaxValue);
    }

    [Fact]
    public void Honest_exceptions_of_every_class_come_back_with_their_texts()
    {
        int read = 0;
        Serializer writer = new(), reader = new();
        foreach (Type type in Classes)
        {
            foreach (Exception sample in Honest(type))
            {
                byte[] bytes;
                try
                {
                    bytes = writer.Serialize(sample);
                }
                catch (UnsupportedTypeException e) when (e.Type != type)
                {
                    // Of what it holds.
                    continue;
                }

                Exception back = reader.Deserialize<Exception>(bytes)!;
                Assert.Equal((type, sample.Message), (back.GetType(), back.Message));
                Assert.StartsWith(type.FullName!, back.ToString(), StringComparison.Ordinal);
                read++;
            }
        }

        Assert.InRange(read, 150, int.MaxValue);
    }

    [Fact]
    public void Types_that_could_not_be_loaded_are_refused_without_their_list()
    {
        byte[] payload = Payload(typeof(ReflectionTypeLoadException), [], []);
        var error = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Exception>(payload));
        Assert.Equal(WireFormatError.InvalidValue, error.Error);
        Assert.Contains(nameof(ReflectionTypeLoadException), error.Message, StringComparison.Ordinal);

        // The program's own class over it is not asked for its text, and its base is looked at all the same.
        payload = Payload(typeof(OwnLoadFailure), [], []);
        Serializer allowing = new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<OwnLoadFailure>() });
        byte[] numbered = Payload(typeof(OwnLoadFailure), [("_resourceId", [0x15])], [0xA8, 0x17, 0, 0]);
        Assert.Throws<WireFormatException>(() => allowing.Deserialize<Exception>(numbered));
        Assert.IsType<OwnLoadFailure>(allowing.Deserialize<Exception>(payload));
        Assert.Equal(0, OwnLoadFailure.Asked);
    }

    [Fact]
    public void What_cannot_be_looked_at_is_refused_on_write()
    {
        var broken = (ReflectionTypeLoadException)RuntimeHelpers.GetUninitializedObject(typeof(ReflectionTypeLoadException));
        var numbered = new TypeLoadException();
        typeof(TypeLoadException).GetField("_resourceId", BindingFlags.NonPublic | BindingFlags.Instance)!.SetValue(numbered, 6056);
        typeof(TypeLoadException).GetField("_className", BindingFlags.NonPublic | BindingFlags.Instance)!.SetValue(numbered, "A");
        typeof(Exception).GetField("_message", BindingFlags.NonPublic | BindingFlags.Instance)!.SetValue(numbered, null);
        foreach (Exception sample in new Exception[] { broken, numbered })
        {
            Assert.ThrowsAny<Exception>(() => sample.Message);
            var error = Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(sample));
            Assert.Equal(sample.GetType(), error.Type);
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize<object>(new object[] { sample }));
        }

        // What the program's own class throws is the program's.
        Assert.Throws<NotImplementedException>(() => new Serializer().Serialize(new Throwing()));
        Assert.Throws<NullReferenceException>(() => new Serializer().Serialize(new Throwing { Null = true }));
    }

    [Fact]
    public void An_exception_is_not_inside_itself_by_a_list()
    {
        var list = new Exception?[1];
        var circle = new ReflectionTypeLoadException([], list);
        list[0] = circle;
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(circle));

        // The same from bytes: the list refers to the exception that holds it.
        byte[] honest = serializer.Serialize(new ReflectionTypeLoadException([], [new FormatException("0123456789")]));
        int[] refused = [0];
        for (int i = 0; i < honest.Length; i++)
        {
            // Wherever a reference may be put.
            byte[] bytes = [.. honest[..i], 1, 0, .. honest[Math.Min(honest.Length, i + 1)..]];
            _ = IsRead(serializer, bytes) ? 0 : refused[0]++;
        }

        Assert.InRange(refused[0], 1, honest.Length);
    }

    [Fact]
    public void Lists_of_exceptions_do_not_lead_deeper_than_a_logger_goes()
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        var first = new FormatException("first");
        Exception deep = first;
        var all = new List<Exception>();
        for (int i = 0; i < 1500; i++)
        {
            // Flat in the bytes, because each has come before; the first of a list is no measure for the others.
            deep = new AggregateException("", first, deep);
            all.Add(deep);
        }

        Assert.IsType<Exception[]>(serializer.Deserialize<object>(serializer.Serialize<object>(all[..400].ToArray())));
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(all.ToArray()));
    }

    [Fact]
    public void Lists_of_exceptions_that_are_shared_do_not_grow_by_powers()
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        Exception powers = new FormatException("x");
        for (int i = 0; i < 60; i++)
        {
            powers = new Quiet(powers, powers);
        }

        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(powers));
    }

    [Theory]
    [InlineData(false, 900, true)]
    [InlineData(false, 3000, false)]
    [InlineData(true, 15, true)]
    [InlineData(true, 60, false)]
    public void What_a_logger_would_go_down_or_print_without_end_is_not_read(bool twice, int count, bool isRead)
    {
        var serializer = new Serializer(new SerializerOptions
        {
            PreserveObjectReferences = true,
            TypeFilter = WireTypeFilter.Default.Allow<Quiet>(),
            Limits = Limits.Default with { MaxAllocation = 1 << 28 },
        });
        byte[] payload = Chain(serializer, twice, count);
        if (isRead)
        {
            Assert.True(IsRead(serializer, payload));
            Assert.NotEmpty(((Exception[])serializer.Deserialize<object>(payload)!)[^1].ToString());
        }
        else
        {
            var error = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload));
            Assert.Equal(WireFormatError.InvalidValue, error.Error);
        }
    }

    // As many exceptions beside each other, each of which refers to the one before it, made from what a writer makes of a few.
    private static byte[] Chain(Serializer serializer, bool twice, int count)
    {
        Exception[] all = [new FormatException("first")];
        while (all.Length < 6)
        {
            all = [.. all, twice ? new Quiet(all[^1], all[^1]) : new Quiet(all[0], all[^1])];
        }

        byte[] three = serializer.Serialize<object>(all[..3]);
        byte[] four = serializer.Serialize<object>(all[..4]);
        byte[] five = serializer.Serialize<object>(all[..5]);
        byte[] last = four[three.Length..], next = five[four.Length..];
        int at = Enumerable.Range(0, three.Length).First(i => three[i] != four[i]);
        Assert.Equal((3, 4, last.Length), (three[at], four[at], next.Length));
        int step = Enumerable.Range(0, last.Length).Where(i => last[i] != next[i]).Select(i => next[i] - last[i]).Distinct().Single();
        return new PayloadWriter().Byte(three[..at]).Number(count).Byte(three[(at + 1)..]).Many(count - 3, (writer, k) =>
        {
            for (int i = 0; i < last.Length; i++)
            {
                _ = last[i] == next[i] ? writer.Byte(last[i]) : writer.Number(last[i] + (k * step));
            }
        }).Bytes;
    }

    // Each without members, and each with members that are null or odd.
    private static IEnumerable<byte[]> MadeUp(Type type)
    {
        yield return Payload(type, [], []);
        (FieldInfo Field, string Name)[] fields = [.. FieldsOf(type)];
        for (int round = 0; round < Numbers.Length; round++)
        {
            var members = new List<(string Name, byte[] Shape)>();
            var values = new List<byte>();
            foreach ((FieldInfo field, string name) in fields.OrderBy(field => field.Name, StringComparer.Ordinal))
            {
                Type of = field.FieldType.IsEnum ? Enum.GetUnderlyingType(field.FieldType) : field.FieldType;
                if (of == typeof(int) || of == typeof(uint))
                {
                    members.Add((name, [of == typeof(int) ? (byte)0x15 : (byte)0x16]));
                    values.AddRange(BitConverter.GetBytes(Numbers[round]));
                }
                else if (of == typeof(string))
                {
                    members.Add((name, [0x2A]));
                    values.AddRange(round % 3 == 0 ? [0] : round % 3 == 1 ? [1] : [13, .. "{0}{9}"u8]);
                }
                else if (!of.IsValueType)
                {
                    members.Add((name, [0x46, 0]));
                    values.Add(0);
                }
            }

            yield return Payload(type, members, [.. values]);
        }
    }

    private static IEnumerable<(FieldInfo Field, string Name)> FieldsOf(Type type)
    {
        for (Type current = type; current != typeof(Exception); current = current.BaseType!)
        {
            const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            foreach (FieldInfo field in current.GetFields(Declared))
            {
                yield return (field, field.Name[0] == '<' ? field.Name[1..field.Name.IndexOf('>', StringComparison.Ordinal)] : field.Name);
            }
        }
    }

    private static bool IsRead(Serializer serializer, byte[] payload)
    {
        object? read;
        try
        {
            read = serializer.Deserialize<object>(payload);
        }
        catch (WireFormatException)
        {
            return false;
        }

        if (read is Exception exception)
        {
            _ = exception.Message;
            _ = exception.ToString();
            exception.Data["key"] = 1;
            Exception? failure = Record.Exception(() => serializer.Serialize(exception));
            Assert.True(failure is null or UnsupportedTypeException, $"{exception.GetType()} cannot be written: {failure}");
        }

        return true;
    }

    private static byte[] Payload(Type type, List<(string Name, byte[] Shape)> members, byte[] values) => new PayloadWriter()
        .Byte(0x10)
        .Definition(
            type,
            schema => schema.Byte(0x44).Number(members.Count)
                .Many(members.Count, (_, i) => schema.Name(members[i].Name).Byte(members[i].Shape)))
        .Byte(values)
        .Bytes;

    private static IEnumerable<Exception> Honest(Type type)
    {
        object?[][] several =
            [[], ["text"], ["text", new FormatException("inner")], ["text", null], [null, "text"], ["a", "b", new FormatException()]];
        foreach (object?[] arguments in several)
        {
            Exception? made = null;
            try
            {
                made = (Exception?)Activator.CreateInstance(type, arguments);
                _ = made?.ToString();
            }
            catch (Exception)
            {
                // No such constructor, or it wants something else.
                continue;
            }

            yield return made!;
        }

        if (type == typeof(ReflectionTypeLoadException))
        {
            yield return new ReflectionTypeLoadException([typeof(int), null], [new FormatException("a"), null], "text");
        }
    }

    private static Assembly[] Framework()
    {
        Assembly[] known =
        [
            typeof(object).Assembly, typeof(System.Net.Sockets.SocketException).Assembly, typeof(System.Text.Json.JsonException).Assembly,
            typeof(System.Net.Http.HttpRequestException).Assembly,
            typeof(System.Net.Mail.SmtpException).Assembly, typeof(System.Xml.XmlException).Assembly,
            typeof(System.Data.DataException).Assembly, typeof(Uri).Assembly,
            typeof(System.Security.Cryptography.CryptographicException).Assembly,
            typeof(System.ComponentModel.DataAnnotations.ValidationException).Assembly,
            typeof(System.ComponentModel.Win32Exception).Assembly, typeof(System.Net.NetworkInformation.PingException).Assembly,
            typeof(System.Net.WebException).Assembly,
        ];
        return
        [
            .. known.Concat(AppDomain.CurrentDomain.GetAssemblies().Where(a => !a.IsDynamic
                && a.GetName().GetPublicKeyToken() is { Length: 8 } token
                && Tokens.Contains(Convert.ToHexString(token)))).Distinct(),
        ];
    }

    public sealed class OwnLoadFailure : TypeLoadException
    {
        public static int Asked { get; private set; }

        public override string Message
        {
            get
            {
                Asked++;
                return "own";
            }
        }
    }

    public sealed class Quiet(params Exception[] inner) : AggregateException(inner)
    {
        public override string Message => "";
    }

    public sealed class Throwing : ArgumentException
    {
        public bool Null { get; set; }

        public override string Message => Null ? throw new NullReferenceException("mine") : throw new NotImplementedException("mine");
    }
}
