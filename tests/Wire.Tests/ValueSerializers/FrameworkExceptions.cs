using System.ComponentModel.DataAnnotations;
using System.Data;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.Serialization;
using System.Xml;
using System.Xml.Schema;

namespace Wire.Tests.ValueSerializers;

/// <summary>
/// The exceptions of the shared framework, made by all their public constructors and setters with values that are not the default ones, and
/// some that are only made where they are thrown.
/// </summary>
internal static class FrameworkExceptions
{
    private static readonly Dictionary<Type, Func<object>> Values = new()
    {
        [typeof(int)] = () => 7,
        [typeof(long)] = () => 8L,
        [typeof(byte)] = () => (byte)9,
        [typeof(char)] = () => 'x',
        [typeof(bool)] = () => true,
        [typeof(double)] = () => 1.5,
        [typeof(TimeSpan)] = () => TimeSpan.FromSeconds(3),
        [typeof(object)] = () => 42,
        [typeof(byte[])] = () => new byte[] { 1, 2 },
        [typeof(string[])] = () => new[] { "a", "b" },
        [typeof(Type)] = () => typeof(List<int>),
        [typeof(Type[])] = () => new[] { typeof(int), null },
        [typeof(Exception)] = () => new FormatException("inner"),
        [typeof(Exception[])] = () => new Exception[] { new FormatException("first"), new TimeoutException("second") },
        [typeof(CancellationToken)] = () => new CancellationToken(canceled: true),
        [typeof(Task)] = () => Task.FromCanceled(new CancellationToken(canceled: true)),
        [typeof(WaitHandle)] = () => new Mutex(),
        [typeof(MethodInfo)] = () => typeof(string).GetMethod(nameof(string.IsNullOrEmpty))!,
        [typeof(AssemblyName)] = () => new AssemblyName("A, Version=1.2.3.4"),
        [typeof(ValidationResult)] = () => new ValidationResult("bad", ["A", "B"]),
        [typeof(ValidationAttribute)] = () => new RequiredAttribute(),
        [typeof(System.Net.WebResponse)] = () => new Response(),
        [typeof(DataRow)] = () => Rows()[0],
        [typeof(DataRow[])] = () => Rows(),
        [typeof(System.Net.Mail.SmtpFailedRecipientException[])] = () => new[]
        {
            new System.Net.Mail.SmtpFailedRecipientException(System.Net.Mail.SmtpStatusCode.MailboxBusy, "a@example.com"),
            new System.Net.Mail.SmtpFailedRecipientException(System.Net.Mail.SmtpStatusCode.MailboxBusy, "b@example.com"),
        },
    };

    /// <summary>Every visible class that objects can have.</summary>
    public static Type[] Classes { get; } =
    [
        .. Directory.GetFiles(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "*.dll")
            .Where(HasExceptions)
            .SelectMany(file => Assembly.Load(AssemblyName.GetAssemblyName(file)).GetExportedTypes())
            .Where(type => typeof(Exception).IsAssignableFrom(type) && !type.IsAbstract && !type.ContainsGenericParameters)
            .OrderBy(type => type.FullName, StringComparer.Ordinal),
    ];

    /// <summary>Makes the exceptions of a class.</summary>
    public static IEnumerable<Exception> Made(Type type) => type.GetConstructors()
        .Where(constructor => !constructor.GetParameters().Any(parameter => parameter.ParameterType == typeof(SerializationInfo)))
        .Select(Make)
        .OfType<Exception>();

    /// <summary>Makes those that the framework throws with more than their constructors take.</summary>
    public static IEnumerable<Exception> Thrown()
    {
        yield return ExceptionSamples.Thrown(() => throw new InvalidOperationException("thrown"));
        yield return ExceptionSamples.Thrown(() => Schemas("no:type").Compile());
        yield return ExceptionSamples.Thrown(() =>
        {
            var document = new XmlDocument { Schemas = Schemas("xs:int") };
            document.LoadXml("<a>x</a>");
            document.Validate(null);
        });
    }

    private static bool HasExceptions(string file)
    {
        using var reader = new PEReader(File.OpenRead(file));
        if (!reader.HasMetadata)
        {
            return false;
        }

        MetadataReader metadata = reader.GetMetadataReader();
        return metadata.TypeDefinitions.Select(metadata.GetTypeDefinition).Any(type => type.Attributes.HasFlag(TypeAttributes.Public)
            && metadata.GetString(type.Name).EndsWith("Exception", StringComparison.Ordinal));
    }

    private static Exception? Make(ConstructorInfo constructor)
    {
        try
        {
            return Set((Exception)constructor.Invoke(Array.ConvertAll(constructor.GetParameters(), Value)));
        }
        catch (TargetInvocationException e) when (e.InnerException is PlatformNotSupportedException)
        {
            // It is only thrown where the platform is another one.
            return null;
        }
    }

    private static object? Value(ParameterInfo parameter) => parameter.ParameterType == typeof(string)
        ? $"{parameter.Name} of it"
        : Value(parameter.ParameterType);

    private static object? Value(Type type) =>
        Values.TryGetValue(Nullable.GetUnderlyingType(type) ?? type, out Func<object>? make) ? make()
        : (Nullable.GetUnderlyingType(type) ?? type) is { IsEnum: true } values ? LastOf(values)
        : type == typeof(IEnumerable<Exception>) ? Value(typeof(Exception[]))
        : type.IsValueType ? Activator.CreateInstance(type)
        : null;

    private static object? LastOf(Type values)
    {
        Array all = Enum.GetValues(values);
        return all.GetValue(all.Length - 1);
    }

    private static Exception Set(Exception exception)
    {
        foreach (PropertyInfo property in exception.GetType().GetProperties().Where(property => property.SetMethod is { IsPublic: true }))
        {
            property.SetValue(
                exception, property.PropertyType == typeof(string) ? $"{property.Name} of it" : Value(property.PropertyType));
        }

        exception.Data["key"] = 1;
        return exception;
    }

    private static DataRow[] Rows()
    {
        var table = new DataTable("t");
        table.Rows.Add();
        return [table.Rows[0]];
    }

    private static XmlSchemaSet Schemas(string type)
    {
        var schemas = new XmlSchemaSet();
        using var text = new StringReader(
            $"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:no='no'><xs:element name='a' type='{type}'/></xs:schema>");
        using XmlReader reader = XmlReader.Create(text);
        schemas.Add(null, reader);
        return schemas;
    }

    private sealed class Response : System.Net.WebResponse;
}
