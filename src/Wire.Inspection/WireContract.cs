using Wire.Contracting;

namespace Wire;

/// <summary>
/// A description of types as they stand in payloads: for a text that people review and commit, and that a later version of the types is
/// compared with. Immutable and thread-safe.
/// </summary>
/// <remarks>docs/contracts.md in the package WireSerializer says how to read the text, and shows a test.</remarks>
public sealed class WireContract
{
    /// <summary>
    /// The environment variable that makes <see cref="Verify(string, Serializer, IEnumerable{Type})"/> write the file, when it is 1.
    /// </summary>
    public const string AcceptVariable = "WIRE_CONTRACT_ACCEPT";

    private readonly ContractTypes _types;
    private readonly ContractMachine? _machine;
    private string? _text;

    private WireContract(ContractTypes types, ContractMachine? machine)
    {
        _types = types;
        _machine = machine;
    }

    /// <inheritdoc cref="From(Serializer, IEnumerable{Type})"/>
    public static WireContract From(Serializer serializer, params ReadOnlySpan<Type> types) =>
        From(serializer, (IEnumerable<Type>)types.ToArray());

    /// <summary>Makes the contract of types, and of all that their members declare. No code of the types runs.</summary>
    /// <param name="serializer">The serializer; its options say names, surrogates and known types, which are part of the contract.</param>
    /// <param name="types">
    /// The types of messages, and of the objects that variables of interfaces, base classes and <see cref="object"/> hold.
    /// </param>
    /// <exception cref="ArgumentException">A type is null or has open arguments.</exception>
    /// <exception cref="UnsupportedTypeException">
    /// One of the types cannot be serialized, or the program gives one name to two types that messages may have.
    /// </exception>
    /// <example>
    /// <code>
    /// WireContract now = WireContract.From(serializer, typeof(OrderPlaced), typeof(OrderShipped));
    /// ContractComparison comparison = now.CompareWith(WireContract.Load("orders.contract"));
    /// Console.WriteLine(comparison);
    /// </code>
    /// </example>
    public static WireContract From(Serializer serializer, IEnumerable<Type> types)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(types);
        Type[] all = [.. types];
        if (Array.Exists(all, type => type is null || type.ContainsGenericParameters))
        {
            throw new ArgumentException("A type of a contract is null or has open generic arguments.", nameof(types));
        }

        ContractTypes described = ContractCollector.Collect(serializer.Registry, all, out IReadOnlyDictionary<string, Type> found);
        return new WireContract(described, new ContractMachine(serializer.Registry, found));
    }

    /// <summary>Reads a contract from the text that <see cref="ToString"/> returns.</summary>
    /// <param name="text">The text; remarks, empty lines and other line ends do not matter.</param>
    /// <exception cref="FormatException">The text is damaged. The message says the line.</exception>
    public static WireContract Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new WireContract(ContractParser.Parse(text), null);
    }

    /// <summary>Reads a contract from a file.</summary>
    /// <exception cref="FormatException">The text is damaged. The message says the file and the line.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static WireContract Load(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        try
        {
            return Parse(File.ReadAllText(path));
        }
        catch (FormatException e)
        {
            throw new FormatException($"{path}: {e.Message}", e);
        }
    }

    /// <inheritdoc cref="Verify(string, Serializer, IEnumerable{Type})"/>
    public static void Verify(string path, Serializer serializer, params ReadOnlySpan<Type> types) =>
        Verify(path, serializer, (IEnumerable<Type>)types.ToArray());

    /// <summary>
    /// Compares types with the contract in a file, for a test of any framework. With the environment variable <see cref="AcceptVariable"/>
    /// set to 1 it writes the file instead.
    /// </summary>
    /// <param name="path">The file, which is committed beside the types.</param>
    /// <param name="serializer">The serializer.</param>
    /// <param name="types">The types, as <see cref="From(Serializer, IEnumerable{Type})"/> takes them.</param>
    /// <exception cref="ContractChangedException">
    /// The types have changed, or there is no file yet. The message is the report, says whether old payloads break, and how to accept the
    /// change.
    /// </exception>
    /// <exception cref="FormatException">The file is damaged. The message says the line.</exception>
    /// <exception cref="IOException">The file cannot be read or written.</exception>
    /// <example>
    /// <code>
    /// // In a test: fails when the types have changed, and with WIRE_CONTRACT_ACCEPT=1 writes the file.
    /// WireContract.Verify("orders.contract", serializer, typeof(OrderPlaced), typeof(OrderShipped));
    /// </code>
    /// </example>
    public static void Verify(string path, Serializer serializer, IEnumerable<Type> types)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        WireContract now = From(serializer, types);
        if (Environment.GetEnvironmentVariable(AcceptVariable) == "1")
        {
            now.Save(path);
            return;
        }

        if (!File.Exists(path))
        {
            throw new ContractChangedException(
                $"There is no contract {path} yet. Run this test with {AcceptVariable}=1 to write it, and commit it.", null);
        }

        WireContract committed = Load(path);
        if (committed.ToString() != now.ToString())
        {
            ContractComparison comparison = now.CompareWith(committed);
            throw new ContractChangedException(
                $"{comparison}\nThe types are not those of {path} any more. If that is intended, run this test with {AcceptVariable}=1, " +
                "which writes the file, and commit it.", comparison);
        }
    }

    /// <summary>Writes the text into a file, as UTF-8.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Save(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        File.WriteAllText(path, ToString());
    }

    /// <summary>Compares these types, the new ones, with old ones, in both directions.</summary>
    /// <param name="old">The contract of the old types.</param>
    public ContractComparison CompareWith(WireContract old)
    {
        ArgumentNullException.ThrowIfNull(old);
        return new ContractComparison([
            .. new ContractReading(old._types, _types, ContractDirection.ReadsOld, _machine).Judge(),
            .. new ContractReading(_types, old._types, ContractDirection.IsReadByOld, old._machine).Judge(),
        ]);
    }

    /// <summary>
    /// Returns the text: always the same for the same types, in ordinal order, with line feeds, and a line for each member.
    /// </summary>
    public override string ToString() => _text ??= ContractText.Describe(_types);
}
