using Wire.Testing;
using static Wire.Tests.Contracting.ContractModel;

namespace Wire.Tests.Contracting;

public sealed class ContractVerifyTests : IDisposable
{
    private static readonly Type[] Types = [typeof(OrderPlaced), typeof(Things), typeof(Box<string>)];

    private readonly string _file = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid():N}.contract.txt");

    public void Dispose() => File.Delete(_file);

    [Fact]
    public void The_contract_of_the_model_is_the_committed_one() => WireContract.Verify(
        Repository.Tests("Wire.Tests", "Contracting", "Model.contract.txt"), new Serializer(), Types);

    [Fact]
    public void Without_a_file_the_exception_says_how_to_write_it()
    {
        ContractChangedException error = Assert.Throws<ContractChangedException>(
            () => WireContract.Verify(_file, new Serializer(), typeof(Line)));
        Assert.Contains("WIRE_CONTRACT_ACCEPT=1", error.Message, StringComparison.Ordinal);
        Assert.Null(error.Comparison);
        Assert.False(File.Exists(_file));
    }

    [Fact]
    public void An_accepted_contract_is_written_and_holds()
    {
        try
        {
            Environment.SetEnvironmentVariable(WireContract.AcceptVariable, "1");
            WireContract.Verify(_file, new Serializer(), typeof(Line));
        }
        finally
        {
            Environment.SetEnvironmentVariable(WireContract.AcceptVariable, null);
        }

        WireContract.Verify(_file, new Serializer(), typeof(Line));
        Assert.Equal(WireContract.From(new Serializer(), typeof(Line)).ToString(), File.ReadAllText(_file));
    }

    [Fact]
    public void A_change_fails_with_the_report()
    {
        var options = new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Person>("Shop.Line") };
        WireContract.From(new Serializer(options), typeof(Person)).Save(_file);
        ContractChangedException error = Assert.Throws<ContractChangedException>(
            () => WireContract.Verify(_file, new Serializer(), typeof(Line)));
        Assert.StartsWith("BREAKS: ", error.Message, StringComparison.Ordinal);
        Assert.Contains("refuses: no member has a name in common", error.Message, StringComparison.Ordinal);
        Assert.Contains("WIRE_CONTRACT_ACCEPT=1", error.Message, StringComparison.Ordinal);
        Assert.True(error.Comparison!.BreaksOldPayloads);
    }

    [Fact]
    public void A_damaged_file_is_named()
    {
        File.WriteAllText(_file, "nothing");
        Assert.StartsWith(
            $"{_file}: Line 1 of the contract is damaged: ",
            Assert.Throws<FormatException>(() => WireContract.Verify(_file, new Serializer(), typeof(Line))).Message,
            StringComparison.Ordinal);
    }

    private sealed record Person(string Name);
}
